import { useEffect, useRef } from "react";
import { matchKeys, nameKey } from "./match-keys.ts";
import type { ShortcutId } from "./shortcuts.ts";

/** What a shortcut does; `false`: not handled here, so that an outer component may handle the key. */
type Handler = (key: string) => unknown;
export type Handlers = Partial<Readonly<Record<ShortcutId, Handler>>>;

const KEY = "ao.single-keys";
const SEQUENCE_MS = 1_500;
/** Innermost last. */
const stack: { readonly current: Handlers }[] = [];
let pending: { readonly keys: string; readonly at: number } | null = null;

/** Handles shortcuts while the component is mounted; the last mounted one comes first. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    stack.push(latest);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
    };
  }, []);
}

/** Whether single keys are shortcuts; some people need them off. */
export function singleKeysAreOn(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
}

/** Listens for shortcuts; called once. */
export function startShortcuts(): void {
  document.addEventListener("keydown", (event) => {
    const key = event.defaultPrevented || event.isComposing ? null : nameKey(event);
    if (key === null || !isMeant(event, key)) return;
    const begun = pending !== null && Date.now() - pending.at < SEQUENCE_MS ? pending.keys : null;
    const match = matchKeys(begun, key);
    pending = match.pending === null ? null : { keys: match.pending, at: Date.now() };
    if (match.pending !== null || run(match.ids, key)) event.preventDefault();
  });
}

function run(ids: readonly ShortcutId[], key: string): boolean {
  for (const { current } of stack.toReversed()) {
    for (const id of ids) if (current[id] !== undefined && current[id](key) !== false) return true;
  }
  return false;
}

/** While focused, fields, terminals and dialogs keep single keys, and buttons keep Space. */
function isMeant(event: KeyboardEvent, key: string): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("[data-keys=off]") != null) return false;
  if (key.startsWith("Ctrl ")) return true;
  if (!singleKeysAreOn()) return false;
  if (key === "Space" && target?.closest("button, a, summary, [role=button]") != null) return false;
  return target?.closest("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]") == null;
}
