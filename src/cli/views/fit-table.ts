import { cut, widthOf } from "./text-width.ts";

/** A column that knows how to shrink. */
export interface FitColumn {
  readonly head: string;
  readonly cells: readonly string[];
  /** Columns with a small number are dropped first; absent: never dropped. */
  readonly drop?: number;
  /** Minimum width when cut; absent: never cut. */
  readonly min?: number;
  readonly right?: boolean;
  readonly paint?: (text: string, row: number) => string;
}

const GAP = 2;

interface Measured extends FitColumn {
  readonly wanted: number;
  readonly least: number;
}

/** A table with its column layout; lines are rendered on demand. */
export interface FittedTable {
  readonly head: string;
  row(index: number): string;
}

/** Fits columns into `width`: drops columns, then cuts texts. */
export function fitColumns(columns: readonly FitColumn[], width: number): FittedTable {
  const shown = dropUntilFit(columns.filter(hasContent).map(measure), width);
  const widths = shareRoom(shown, width);
  const line = (cell: (column: FitColumn, room: number) => string): string =>
    shown
      .flatMap((column, index) => (widths[index] ? [cell(column, widths[index])] : []))
      .join(" ".repeat(GAP))
      .trimEnd();
  return {
    head: line((column, room) => place(column.head, room, column.right === true, asIs)),
    row: (index) =>
      line((column, room) =>
        place(column.cells[index] ?? "", room, column.right === true, (text) => column.paint?.(text, index) ?? text),
      ),
  };
}

/** Header and rows, each at most `width` columns wide. */
export function fitTable(
  columns: readonly FitColumn[],
  width: number,
  paintHead: (text: string) => string,
): readonly string[] {
  const table = fitColumns(columns, width);
  const rows = Math.max(0, ...columns.map(({ cells }) => cells.length));
  return [paintHead(table.head), ...Array.from({ length: rows }, (_, index) => table.row(index))];
}

function hasContent({ cells }: FitColumn): boolean {
  return cells.some((cell) => cell !== "");
}

function measure(column: FitColumn): Measured {
  const wanted = column.cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(column.head));
  return { ...column, wanted, least: Math.min(wanted, column.min ?? wanted) };
}

function dropUntilFit(columns: readonly Measured[], width: number): readonly Measured[] {
  const droppable = columns.filter(({ drop }) => drop !== undefined).sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0));
  const [first] = droppable;
  if (leastOf(columns) <= width || first === undefined) return columns;
  return dropUntilFit(
    columns.filter((column) => column !== first),
    width,
  );
}

// Uncut columns get what they need, the others share the rest: each its minimum, then in proportion to what it still
// needs.
function shareRoom(columns: readonly Measured[], width: number): readonly number[] {
  const wants = columns.reduce((sum, { wanted, least }) => sum + wanted - least, 0);
  const left = width - leastOf(columns);
  if (left >= wants) return columns.map(({ wanted }) => wanted);
  // On a very narrow terminal even fixed columns are cut, from the right.
  if (left < 0)
    return squeeze(
      columns.map(({ least }) => least),
      width,
    );
  return columns.map(({ wanted, least }) => least + Math.floor((left * (wanted - least)) / wants));
}

function leastOf(columns: readonly Measured[]): number {
  return columns.reduce((sum, { least }) => sum + least + GAP, -GAP);
}

function squeeze(widths: readonly number[], width: number): readonly number[] {
  let left = width;
  return widths.map((one) => {
    const room = Math.max(0, Math.min(one, left));
    left -= room + GAP;
    return room;
  });
}

function place(text: string, room: number, right: boolean, paint: (text: string) => string): string {
  const shown = cut(text, room);
  const padding = " ".repeat(Math.max(0, room - widthOf(shown)));
  return right ? padding + paint(shown) : paint(shown) + padding;
}

function asIs(text: string): string {
  return text;
}
