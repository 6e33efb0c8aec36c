const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A file name as git prints it: in double quotes, with octal bytes, unless it is plain. */
export function unquotePath(printed: string): string {
  if (!printed.startsWith('"') || !printed.endsWith('"')) return printed;
  const bytes: number[] = [];
  const inner = printed.slice(1, -1);
  for (const [part] of inner.matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (!part.startsWith("\\")) bytes.push(...new TextEncoder().encode(part));
    else if (part.length === 4) bytes.push(Number.parseInt(part.slice(1), 8));
    else bytes.push(ESCAPES[part[1] ?? ""] ?? 63);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
