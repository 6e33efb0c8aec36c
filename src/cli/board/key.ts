/** A key for the board: a name such as `up`, `enter` or `j`, and the text that it types. */
export interface Key {
  readonly name: string;
  /** What it types into a field, or null. */
  readonly text: string | null;
}

/** What Node's decoder reports about a key press. */
export interface Press {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

const NAMES: Readonly<Record<string, string>> = { return: "enter", enter: "newline", linefeed: "newline" };

/** The key of a press: `ctrl+c`, `alt+enter`, or what it types. */
export function toKey(text: string | undefined, press: Press): Key {
  const base = NAMES[press.name ?? ""] ?? press.name ?? "";
  if (press.ctrl === true) return { name: `ctrl+${base}`, text: null };
  if (press.meta === true && base !== "escape") return { name: `alt+${base}`, text: null };
  const typed = text !== undefined && /^[^\p{Cc}]+$/u.test(text) ? text : null;
  return typed === null ? { name: base, text: null } : { name: typed === " " ? "space" : typed, text: typed };
}

/** Pasted text: it types, and none of its keys acts. */
export function pastedKey(text: string): Key {
  return { name: "paste", text: text.replace(/\r\n?/g, "\n") };
}
