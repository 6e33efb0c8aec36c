import { cut, widthOf } from "./text-width.ts";
import { visibleLine } from "./visible.ts";

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
  const clean = rows.map((row) => row.map(visibleLine));
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
