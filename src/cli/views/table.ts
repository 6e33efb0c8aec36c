import { cut, widthOf } from "./text-width.ts";
import { visibleLine } from "./visible.ts";

export interface TableOptions {
  /** The terminal's width; the last column is cut to fit. Absent: nothing is cut. */
  readonly columns?: number | undefined;
  /** Right-aligned columns. */
  readonly right?: readonly number[];
  /** Colors a cell after its width is known. */
  readonly paint?: (text: string, row: number, column: number) => string;
}

/** Rows as aligned lines; the first row is the header. */
export function renderTable(rows: readonly (readonly string[])[], options: TableOptions = {}): readonly string[] {
  const clean = rows.map((row) => row.map(visibleLine));
  const count = Math.max(0, ...clean.map((row) => row.length));
  const sizes = clean.map((row) => row.map(widthOf));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...sizes.map((row) => row[column] ?? 0)));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = options.columns === undefined ? Number.POSITIVE_INFINITY : Math.max(8, options.columns - before);
  return clean.map((row, rowIndex) =>
    row
      .map((cell, column) => {
        const isLast = column === count - 1;
        const size = sizes[rowIndex]?.[column] ?? 0;
        const text = isLast && size > room ? cut(cell, room) : cell;
        const padding = isLast ? "" : " ".repeat((widths[column] ?? 0) - size);
        const painted = options.paint?.(text, rowIndex, column) ?? text;
        return options.right?.includes(column) ? padding + painted : painted + padding;
      })
      .join("  ")
      .trimEnd(),
  );
}
