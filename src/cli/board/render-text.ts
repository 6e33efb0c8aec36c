import { renderQuestion } from "../views/question-view.ts";
import { cut } from "../views/text-width.ts";
import { visibleLine } from "../views/visible.ts";
import { answerRows, chosen, howToAnswer } from "./answer-keys.ts";
import { showField, textOf } from "./field.ts";
import { bothSides } from "./paint.ts";
import { clampTop, pageRows } from "./read-keys.ts";
import { statusLine } from "./render-bars.ts";
import type { RenderOptions } from "./render-options.ts";
import type { BoardState, Mode, Reading } from "./state.ts";

/** A text over the whole screen: its title, as much of it as fits, and how to leave. */
export function renderReading(state: BoardState, reading: Reading, { style }: RenderOptions): readonly string[] {
  const { columns } = state.size;
  const page = pageRows(state.size);
  const lines = reading.text === null ? [style.dim("Loading …")] : reading.lines;
  const top = reading.follow
    ? clampTop(Number.POSITIVE_INFINITY, lines.length, page)
    : clampTop(reading.top, lines.length, page);
  const name = reading.what === "help" ? "" : `${reading.what}  `;
  const seen = Math.min(top + page, lines.length);
  const where = lines.length <= page ? "" : `${top + 1}-${seen} of ${lines.length} `;
  const leave = `${style.bold("Esc")} ${style.dim("back")}`;
  const keys = lines.length <= page ? leave : `${style.bold("j k space b g G")} ${style.dim("scroll")}  ${leave}`;
  return [
    bothSides(
      ` ${style.dim(name)}${style.bold(cut(visibleLine(reading.title), columns - 40))}`,
      style.dim(where),
      columns,
    ),
    style.dim("─".repeat(columns)),
    ...Array.from({ length: page }, (_, row) => (lines[top + row] === undefined ? "" : ` ${lines[top + row]}`)),
    ` ${reading.sessionId === null ? leave : `${keys}  ${style.bold("t")} ${style.dim("attach")}`}`,
  ];
}

/** A complete question over the whole screen, and the line for the answer. */
export function renderAnswer(
  state: BoardState,
  mode: Extract<Mode, { kind: "answer" }>,
  options: RenderOptions,
): readonly string[] {
  const { style } = options;
  const { columns } = state.size;
  const page = answerRows(state.size);
  const lines = renderQuestion(mode.question, style, columns - 2);
  const top = clampTop(mode.top, lines.length, page);
  const below = lines.length - top - page;
  const typed = textOf(mode.field);
  const choice = chosen(mode, typed);
  const meaning = typed === "" ? howToAnswer(mode) : choice === null ? "" : `${cut(visibleLine(choice), 40)}`;
  const more = below > 0 ? `${below} more line${below === 1 ? "" : "s"} below, PageDown ` : "";
  const label = mode.question.kind === "permission" ? "permission" : "question";
  return [
    bothSides(` ${style.dim(label)}  ${style.bold(cut(mode.sessionId, 60))}`, style.yellow(more), columns),
    style.dim("─".repeat(columns)),
    ...Array.from({ length: page }, (_, row) => (lines[top + row] === undefined ? "" : ` ${lines[top + row]}`)),
    ` ${style.bold("answer:")} ${showField(mode.field, 40)}  ${style.dim(cut(meaning, columns - 60))}`,
    statusLine({ ...state, mode: { kind: "list" } }, options),
    ` ${style.bold("Enter")} ${style.dim("send")}  ${style.bold("PageUp PageDown")} ${style.dim("scroll")}  ${style.bold("Esc")} ${style.dim("back")}`,
  ];
}
