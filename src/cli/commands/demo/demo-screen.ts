import type { ProgressRow, Tone } from "../../../demo/progress.ts";
import type { DemoScreen } from "../../../demo/run-demo.ts";
import { write } from "../../views/print.ts";
import { type Style, style } from "../../views/style.ts";
import { renderTable } from "../../views/table.ts";
import { cut } from "../../views/text-width.ts";
import { visibleLine } from "../../views/visible.ts";
import { createLiveBlock } from "../../views/watch.ts";

const MARKS: Readonly<Record<Tone, string>> = { waiting: "·", busy: ">", trouble: "!", good: "+" };
const PAINTS: Readonly<Record<Tone, keyof Style>> = { waiting: "dim", busy: "cyan", trouble: "yellow", good: "green" };
const REDRAW_MS = 1000;
const SHOWN_ACTIONS = 3;
/** Columns for the stage, so that what follows stays in place. */
const STAGE = 8;

/** Everything that the terminal shows at one moment. */
export interface Picture {
  readonly rows: readonly ProgressRow[];
  /** The number of all tasks, including those without a session. */
  readonly total: number;
  /** What the demo's people did last. */
  readonly actions: readonly string[];
  readonly elapsedMs: number;
}

/** The lines of a picture, each cut to the width of the terminal. */
export function renderPicture(
  picture: Picture,
  options: { readonly columns: number; readonly paint: Style },
): readonly string[] {
  const { rows } = picture;
  const { columns, paint } = options;
  const cells = rows.map((row) => [MARKS[row.tone], row.title, sentence(row)]);
  const table = renderTable(cells, {
    columns,
    paint: (text, row, column) => {
      const name = PAINTS[rows[row]?.tone ?? "waiting"];
      return column === 1 ? text : paint[name](text);
    },
  });
  const merged = rows.filter(({ tone }) => tone === "good").length;
  const count = `${seconds(picture.elapsedMs)}, ${merged} of ${picture.total} merged`;
  const actions = picture.actions.slice(-SHOWN_ACTIONS).map((line) => paint.dim(cut(visibleLine(line), columns)));
  return [...table, "", ...actions, paint.bold(cut(count, columns))];
}

/** Lines for what is new in the rows; for a pipe, where nothing can be updated in place. */
export function renderNews(
  before: readonly ProgressRow[],
  rows: readonly ProgressRow[],
  elapsedMs: number,
): readonly string[] {
  const said = new Map(before.map((row) => [row.sessionId, sentence(row)]));
  return rows
    .filter((row) => said.get(row.sessionId) !== sentence(row))
    .map((row) => `${timeOf(elapsedMs)}  ${row.sessionId}  ${sentence(row)}`);
}

function sentence({ stage, detail }: ProgressRow): string {
  return visibleLine(`${stage.padEnd(STAGE)}  ${detail}`);
}

function seconds(ms: number): string {
  return `${Math.floor(ms / 1000)} s`;
}

function timeOf(ms: number): string {
  return seconds(ms).padStart(6);
}

/** Shows the demo: in place on a terminal, otherwise line by line. */
export function createDemoScreen(stream: NodeJS.WriteStream): DemoScreen & { close(): void } {
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  return stream.isTTY ? createLive(stream, elapsed) : createPlain(stream, elapsed);
}

function createPlain(stream: NodeJS.WriteStream, elapsed: () => number): DemoScreen & { close(): void } {
  let before: readonly ProgressRow[] = [];
  return {
    show: (rows) => {
      for (const line of renderNews(before, rows, elapsed())) write(stream, `${line}\n`);
      before = rows;
    },
    tell: (who, what) => write(stream, `${timeOf(elapsed())}  ${who}  ${what}\n`),
    close: () => undefined,
  };
}

function createLive(stream: NodeJS.WriteStream, elapsed: () => number): DemoScreen & { close(): void } {
  const draw = createLiveBlock(stream);
  const paint = style(stream);
  let rows: readonly ProgressRow[] = [];
  let total = 0;
  let actions: readonly string[] = [];
  const redraw = (): void => {
    const columns = Math.max(20, (stream.columns || 80) - 1);
    draw(renderPicture({ rows, total, actions, elapsedMs: elapsed() }, { columns, paint }));
  };
  // The elapsed time changes even if nothing happens.
  const timer = setInterval(() => (rows.length > 0 ? redraw() : undefined), REDRAW_MS);
  return {
    show: (next, all) => {
      rows = next;
      total = all;
      redraw();
    },
    tell: (who, what) => {
      actions = [...actions, `${timeOf(elapsed())}  ${who} ${what}`].slice(-SHOWN_ACTIONS);
      redraw();
    },
    close: () => clearInterval(timer),
  };
}
