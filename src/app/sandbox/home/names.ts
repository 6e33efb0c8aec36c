/** Databases that a program of the user may be writing, which a copy would tear apart, and locks that it holds. */
const NEVER_COPIED = [
  "*.db",
  "*.db-*",
  "*.sqlite",
  "*.sqlite-*",
  "*.sqlite3",
  "*.sqlite3-*",
  "*.lock",
  "*.sock",
  "*.tmp",
];

/** Is this name one of those, in which `*` matches any text? */
export function isAmong(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const [start = "", end] = pattern.split("*");
    if (end === undefined) return name === pattern;
    return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
  });
}

/** Must this entry of a program's folder not be copied, whatever the program? */
export function isNeverCopied(name: string): boolean {
  return isAmong(name, NEVER_COPIED);
}
