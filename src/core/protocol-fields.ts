/** The fields of a line of the protocol between `ao` and agents. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a protocol line; null: it is something else. Failing to parse takes a hundred times as long as reading a
 * short line, so text that cannot be an object with a type, which is most of what programs print, is not parsed at all.
 */
export function parseFields(line: string): Fields | null {
  if (!line.startsWith("{") || !line.includes('"type"') || !line.trimEnd().endsWith("}")) return null;
  try {
    return JSON.parse(line) as Fields;
  } catch {
    return null;
  }
}
