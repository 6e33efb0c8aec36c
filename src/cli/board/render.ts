import { cut } from "../views/text-width.ts";
import { padTo, paintedWidth } from "./paint.ts";
import { keyBar, statusLine, titleBar } from "./render-bars.ts";
import { renderDetail } from "./render-detail.ts";
import { renderList } from "./render-list.ts";
import type { RenderOptions } from "./render-options.ts";
import { renderAnswer, renderReading } from "./render-text.ts";
import { type BoardState, selectedSession, shownSessions } from "./state.ts";

const MIN_COLUMNS = 80;
/** A 24-row terminal has fewer rows inside tmux. */
const MIN_ROWS = 20;
/** From this width on, the details are beside the list. */
const WIDE_COLUMNS = 150;
/** Title, status and keys. */
const BAR_ROWS = 3;

/** The whole screen: as many lines as it has rows, none too wide. */
export function renderBoard(state: BoardState, options: RenderOptions): readonly string[] {
  const { columns, rows } = state.size;
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) return renderTooSmall(state);
  const lines = renderMode(state, options);
  return Array.from({ length: rows }, (_, row) => lines[row] ?? "");
}

function renderMode(state: BoardState, options: RenderOptions): readonly string[] {
  if (state.mode.kind === "read") return renderReading(state, state.mode.reading, options);
  if (state.mode.kind === "answer") return renderAnswer(state, state.mode, options);
  const { columns, rows } = state.size;
  const body = rows - BAR_ROWS;
  return [
    titleBar(state, options),
    ...(columns >= WIDE_COLUMNS ? beside(state, options, body) : below(state, options, body)),
    statusLine(state, options),
    keyBar(state, options),
  ];
}

function below(state: BoardState, options: RenderOptions, body: number): readonly string[] {
  const { columns } = state.size;
  const { style } = options;
  if (selectedSession(state) === undefined) return fill(renderList(state, options, { columns, rows: body }), body);
  const detailRows = Math.max(6, Math.floor(body * 0.36));
  const listRows = body - detailRows - 1;
  const rule = style.dim(`──${position(state)}${"─".repeat(columns)}`.slice(0, columns));
  return [
    ...fill(renderList(state, options, { columns, rows: listRows }), listRows),
    rule,
    ...fill(renderDetail(state, options, { columns: columns - 2, rows: detailRows }).map(indent), detailRows),
  ];
}

function beside(state: BoardState, options: RenderOptions, body: number): readonly string[] {
  const { columns } = state.size;
  if (selectedSession(state) === undefined) return fill(renderList(state, options, { columns, rows: body }), body);
  const left = Math.floor(columns * 0.62);
  const list = fill(renderList(state, options, { columns: left, rows: body }), body);
  const detail = fill(renderDetail(state, options, { columns: columns - left - 3, rows: body }), body);
  const bar = options.style.dim("│");
  return list.map((line, row) => `${padTo(line, left)} ${bar} ${detail[row] ?? ""}`);
}

function position(state: BoardState): string {
  const shown = shownSessions(state);
  const row = shown.findIndex(({ id }) => id === state.selectedId);
  return ` ${row + 1} of ${shown.length} `;
}

function renderTooSmall({ size }: BoardState): readonly string[] {
  const { columns, rows } = size;
  const text = [
    `This terminal is ${columns}×${rows}.`,
    `The board needs ${MIN_COLUMNS}×${MIN_ROWS}.`,
    "`ao list` fits any size.",
    "q quits.",
  ];
  return text.slice(0, rows).map((line) => cut(line, columns));
}

function fill(lines: readonly string[], rows: number): readonly string[] {
  return Array.from({ length: rows }, (_, row) => lines[row] ?? "");
}

function indent(line: string): string {
  return paintedWidth(line) === 0 ? "" : ` ${line}`;
}
