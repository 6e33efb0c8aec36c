/** A text that an event carries: short ones inline, longer ones by the hash of a blob. */
export type StoredText =
  | { readonly inline: string }
  | { readonly blob: string; readonly bytes: number; readonly start: string };

/** Longest text that an event holds inline, in UTF-16 units (event data stays below 16 KiB). */
export const INLINE_LIMIT = 4096;

/** The first characters of a text, for people. */
export function excerpt(text: StoredText, length = 80): string {
  const source = "inline" in text ? text.inline : text.start;
  const line = source.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
