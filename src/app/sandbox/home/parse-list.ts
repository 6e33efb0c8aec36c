/** The entries of a list in a JSON file of the daemon's own; none if the file is damaged. */
export function parseList<T>(text: string, name: string, isEntry: (entry: Partial<T>) => boolean): readonly T[] {
  try {
    const list: unknown = (JSON.parse(text) as Readonly<Record<string, unknown>> | null)?.[name];
    if (!Array.isArray(list)) return [];
    const isWhole = list.every((entry: unknown) => typeof entry === "object" && entry !== null && isEntry(entry));
    return isWhole ? (list as T[]) : [];
  } catch {
    return [];
  }
}

export function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
