import { descriptionOf } from "../../core/question.ts";
import type { QuestionView } from "../../protocol/views/question.ts";
import type { Style } from "./style.ts";
import { widthOf } from "./text-width.ts";
import { visible } from "./visible.ts";

/**
 * A question for people to decide: all of its lines, its numbered choices, and what each choice means. Every line of
 * its detail starts with a bar, a dotted one where it was wrapped, so that no text can pose as a line of `ao` or hide
 * its line breaks.
 */
export function renderQuestion(question: QuestionView, style: Style, width = Number.POSITIVE_INFINITY): string[] {
  const { detail, choices, freeText } = question;
  return [
    ...visible(question.question)
      .split("\n")
      .flatMap((line) => wrap(line, width))
      .map((text) => style.bold(text)),
    ...(detail === null ? [] : renderDetail(detail, style, width)),
    ...choices.flatMap((choice, n) => renderChoice({ question, choice, number: n + 1, style, width })),
    ...(freeText ? wrap(describeFreeText(question), width).map(style.dim) : []),
  ];
}

/** A question with this many lines of its detail, and the number of omitted ones. */
export function shortenDetail(
  question: QuestionView,
  max: number,
): { readonly shown: QuestionView; readonly left: number } {
  const lines = question.detail?.text.replace(/\n$/, "").split("\n") ?? [];
  if (question.detail === null || lines.length <= max) return { shown: question, left: 0 };
  const detail = { ...question.detail, text: lines.slice(0, max).join("\n") };
  return { shown: { ...question, detail }, left: lines.length - max };
}

/** Only the verbatim detail of a question. */
function renderDetail({ format, text }: NonNullable<QuestionView["detail"]>, style: Style, width: number): string[] {
  const lines = visible(text.replace(/\n$/, "")).split("\n");
  return lines.flatMap((line) => {
    const paint = format === "diff" ? diffColor(line, style) : (piece: string) => piece;
    const [first = "", ...rest] = wrap(line, width - 2);
    return [`${style.dim("│")} ${paint(first)}`, ...rest.map((piece) => `${style.dim("┊")} ${paint(piece)}`)];
  });
}

function diffColor(line: string, style: Style): (text: string) => string {
  if (line.startsWith("+")) return style.green;
  if (line.startsWith("-")) return style.red;
  return line.startsWith("@@") ? style.cyan : (text) => text;
}

interface ChoiceOptions {
  readonly question: QuestionView;
  readonly choice: string;
  readonly number: number;
  readonly style: Style;
  readonly width: number;
}

function renderChoice({ question, choice, number, style, width }: ChoiceOptions): readonly string[] {
  const described = descriptionOf(question, choice);
  const mark = `${String(number).padStart(2)}. `;
  const indent = " ".repeat(mark.length);
  const lines = [...visible(choice).split("\n"), ...(described === null ? [] : visible(described).split("\n"))];
  const isName = (n: number): boolean =>
    n < lines.length - (described === null ? 0 : visible(described).split("\n").length);
  return lines.flatMap((line, n) =>
    wrap(line, width - mark.length - (isName(n) ? 0 : 2)).map((piece, part) => {
      const lead = n === 0 && part === 0 ? style.cyan(mark) : indent;
      return isName(n) ? `${lead}${piece}` : `${lead}  ${style.dim(piece)}`;
    }),
  );
}

function describeFreeText({ kind, choices }: QuestionView): string {
  if (choices.length === 0) return "    Answer in your own words.";
  return kind === "permission"
    ? "    Or type a reason to deny it; the agent reads why."
    : "    Or type your own answer.";
}

/** A line in pieces of this many columns. */
function wrap(line: string, width: number): readonly string[] {
  const room = Math.max(1, width);
  if (widthOf(line) <= room) return [line];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of line) {
    const columns = widthOf(character);
    if (used + columns > room && piece !== "") {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += character;
    used += columns;
  }
  return [...pieces, piece];
}
