import { SHORTCUTS, type ShortcutId } from "./shortcuts.ts";

/** What a pressed key is called in the table; null: no shortcut can have it. */
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
  /** Shortcuts of different scopes may have the same key; whoever is on the page takes it. */
  readonly ids: readonly ShortcutId[];
  /** The keys so far, if they begin a longer shortcut. */
  readonly pending: string | null;
}

/** What a key means after the keys that are pending. */
export function matchKeys(pending: string | null, key: string): Match {
  const pressed = pending === null ? key : `${pending} ${key}`;
  const all = Object.entries(SHORTCUTS) as [ShortcutId, { readonly keys: string }][];
  const ids = all.filter(([, { keys }]) => keys === pressed || (keys === "1-9" && /^[1-9]$/.test(pressed)));
  const isPrefix = all.some(([, { keys }]) => keys.startsWith(`${pressed} `) && !/^(Ctrl|Shift)$/.test(pressed));
  return { ids: ids.map(([id]) => id), pending: isPrefix ? pressed : null };
}
