import type { QuestionView } from "../../protocol/views/question.ts";
import type { Style } from "./style.ts";
import { wrapText } from "./styled-text.ts";
import { visible, visibleLine } from "./visible.ts";

/** Columns before each text: the time and the speaker. */
export const GUTTER = 14;

export interface FoldOptions {
  readonly style: Style;
  readonly sessionId: string;
  /** Columns of the terminal; infinite: no wrapping. */
  readonly width: number;
  /** Everything is shown in full. */
  readonly full: boolean;
  /** The owner of the text, if it is not on the line before. */
  readonly title?: string | null;
  /** Without the bar and the gutter: it is part of another item, or a separate text. */
  readonly inside?: boolean;
  readonly bare?: boolean;
  /** How many lines to show when folded. */
  readonly keep?: number;
}

const KEEP = 5;

/** A possibly long text: its first lines, and how many more there are. */
export function renderFolded(
  content: { readonly text: string; readonly omitted: number; readonly ok?: boolean },
  options: FoldOptions,
): readonly string[] {
  const { style, full, keep = KEEP, bare = false, inside = false } = options;
  const width = options.width - GUTTER - (bare ? 0 : 2);
  const isFailed = content.ok === false;
  const lines = content.text === "" ? [] : visible(content.text.replace(/\n+$/, "")).split("\n");
  const all = lines.flatMap((line) => wrapText(line, width).map((piece) => paintLine(piece, line, style, bare)));
  // One more line takes no more space than the note.
  const shown = full || all.length <= keep + 1 ? all : all.slice(0, keep);
  const body = [
    ...(isFailed ? [style.red("failed")] : []),
    ...shown,
    ...describeRest(all.length - shown.length, content.omitted, options).map(style.dim),
  ];
  const barred = bare ? body : body.map((line) => `${style.dim("│")} ${line}`);
  if (bare || inside) return barred;
  const title = options.title === undefined || options.title === null ? [] : [style.dim(`result of ${options.title}`)];
  return [...title, ...barred].map((line) => `${" ".repeat(GUTTER)}${line}`);
}

function describeRest(lines: number, omitted: number, { sessionId, full }: FoldOptions): readonly string[] {
  if (lines > 0) return [`… ${lines} more lines (ao logs ${sessionId} --full)`];
  return omitted > 0 ? [`… ${omitted} more characters${full ? " were not kept" : ""}`] : [];
}

function paintLine(piece: string, line: string, style: Style, isBare: boolean): string {
  if (isBare) return piece;
  if (/^\+(?!\+\+)/.test(line)) return style.green(piece);
  return /^-(?!--)/.test(line) ? style.red(piece) : style.dim(piece);
}

/** An answered question: its headline, and its subject unless the tool before it showed that. */
export function renderQuestionShort(
  question: QuestionView,
  options: FoldOptions & { readonly lastTitle: string },
): readonly string[] {
  const { detail } = question;
  const headline = wrapText(visible(question.question), options.width);
  const isKnown = detail === null || options.lastTitle.includes(visibleLine(detail.text));
  if (isKnown || detail === null) return headline;
  return [...headline, ...renderFolded({ text: detail.text, omitted: 0 }, { ...options, inside: true })];
}

/** Lines with the speaker before the first, and indentation before the others. */
export function indentBody(lines: readonly string[], lead: string): readonly string[] {
  const [first = "", ...rest] = lines;
  return [`${lead}${first}`, ...rest.map((line) => (line === "" ? "" : `${" ".repeat(GUTTER)}${line}`))];
}
