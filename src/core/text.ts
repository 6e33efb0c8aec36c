/** A text that an event carries: short ones inline, longer ones by the hash of a blob, composed ones as pieces. */
export type StoredText = (
  | { readonly inline: string }
  | { readonly blob: string; readonly bytes: number; readonly start: string }
  | { readonly join: readonly StoredText[] }
) & {
  /** What people see instead: somebody wrote hidden characters, which agents do not get. Absent: they see the same. */
  readonly shown?: StoredText;
};

/** Longest text that an event holds inline, in UTF-16 units (event data stays below 16 KiB). */
export const INLINE_LIMIT = 4096;

/** The first characters of a text, for people. */
export function excerpt(text: StoredText, length = 80): string {
  const line = beginning(text).replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** As much of its start as is known without the store, unchanged. */
export function beginning(text: StoredText): string {
  if ("inline" in text) return text.inline;
  return "blob" in text ? text.start : text.join.map(beginning).join("");
}

/** Its size in UTF-8 bytes. */
export function sizeOf(text: StoredText): number {
  if ("inline" in text) return new TextEncoder().encode(text.inline).length;
  return "blob" in text ? text.bytes : text.join.reduce((sum, piece) => sum + sizeOf(piece), 0);
}
