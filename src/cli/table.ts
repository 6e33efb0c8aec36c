/** Text without what would move the cursor or break the line: titles and branches come from others. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}

/** Columns that a text takes on a terminal; wide characters take two. */
export function widthOf(text: string): number {
  // Almost every cell is plain ASCII, and a look at each of its characters would be felt in `ao list`.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character.codePointAt(0) ?? 0);
  return width;
}

/** The beginning of a text that fits into a number of columns. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let out = "";
  let width = 1;
  for (const character of text) {
    width += widthOfCharacter(character.codePointAt(0) ?? 0);
    if (width > columns) break;
    out += character;
  }
  return `${out}…`;
}

export interface TableOptions {
  /** Width of the terminal; the last column is cut to fit. Absent: nothing is cut. */
  readonly columns?: number | undefined;
  /** Columns of figures, which stand to the right. */
  readonly right?: readonly number[];
  /** Colors a cell after its width is known. */
  readonly paint?: (text: string, row: number, column: number) => string;
}

/** Rows as aligned lines; the first row is the head. */
export function renderTable(rows: readonly (readonly string[])[], options: TableOptions = {}): readonly string[] {
  const clean = rows.map((row) => row.map(oneLine));
  const count = Math.max(0, ...clean.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...clean.map((row) => widthOf(row[column] ?? ""))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = options.columns === undefined ? Number.POSITIVE_INFINITY : Math.max(8, options.columns - before);
  return clean.map((row, rowIndex) =>
    row
      .map((cell, column) => {
        const isLast = column === count - 1;
        const text = isLast ? cut(cell, room) : cell;
        const padding = isLast ? "" : " ".repeat((widths[column] ?? 0) - widthOf(text));
        const painted = options.paint?.(text, rowIndex, column) ?? text;
        return options.right?.includes(column) ? padding + painted : painted + padding;
      })
      .join("  ")
      .trimEnd(),
  );
}

function widthOfCharacter(code: number): number {
  if ((code >= 0x300 && code <= 0x36f) || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return isWide ? 2 : 1;
}
