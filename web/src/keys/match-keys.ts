import { SHORTCUTS, type ShortcutId } from "./shortcuts.ts";

/** The name of a pressed key in the table; null: not usable in a shortcut. */
export function nameKey(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): string | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (altKey || key === "Shift" || key === "Control" || key === "Meta") return null;
  if (ctrlKey || metaKey) return `Ctrl ${key.toUpperCase()}`;
  if (key === " ") return "Space";
  if (/^[a-z]$/i.test(key)) return shiftKey ? `Shift ${key.toUpperCase()}` : key.toLowerCase();
  return key;
}

export interface Match {
  /** Shortcuts of different scopes may share a key; the component on the page handles it. */
  readonly ids: readonly ShortcutId[];
  /** The keys so far, if they start a longer shortcut. */
  readonly pending: string | null;
}

/** What a key means after the pending keys. */
export function matchKeys(pending: string | null, key: string): Match {
  const pressed = pending === null ? key : `${pending} ${key}`;
  const all = Object.entries(SHORTCUTS) as [ShortcutId, { readonly keys: string }][];
  const ids = all.filter(([, { keys }]) => keys === pressed || (keys === "1-9" && /^[1-9]$/.test(pressed)));
  const isPrefix = all.some(([, { keys }]) => keys.startsWith(`${pressed} `) && !/^(Ctrl|Shift)$/.test(pressed));
  return { ids: ids.map(([id]) => id), pending: isPrefix ? pressed : null };
}
