import { withoutEscapes } from "../../core/terminal-text.ts";
import type { TranscriptItem } from "../../protocol/views/transcript.ts";
import { renderQuestion } from "./question-view.ts";
import type { Style } from "./style.ts";
import { wrapText } from "./styled-text.ts";
import { type FoldOptions, GUTTER, indentBody, renderFolded, renderQuestionShort } from "./transcript-parts.ts";
import { visible, visibleLine } from "./visible.ts";

export interface ViewOptions extends Pick<FoldOptions, "style" | "sessionId" | "width" | "full"> {
  /** Markdown as lines. */
  markdown(text: string): readonly string[];
}

/** Shows a transcript item by item, as it arrives. */
export interface TranscriptView {
  /** The lines of some items; how they start depends on the items before. */
  show(items: readonly TranscriptItem[]): readonly string[];
}

const MAX_RULE = 80;

/** Creates the view of one session. */
export function createTranscriptView(options: ViewOptions): TranscriptView {
  const { style } = options;
  const tools = new Map<string, string>();
  let lastTool: string | null = null;
  let day = "";
  let time = "";

  // A minute is printed once, and a day only when it changes.
  const stamp = (at: string | null): { readonly rule: readonly string[]; readonly time: string } => {
    const when = at === null ? null : new Date(at);
    if (when === null || Number.isNaN(when.getTime())) return { rule: [], time: "" };
    const today = when.toLocaleDateString("en-US", { weekday: "short", month: "short", day: "numeric" });
    const rule = today === day ? [] : [ruleOf(today, options)];
    const now = [when.getHours(), when.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
    const shown = now === time && rule.length === 0 ? "" : now;
    day = today;
    time = now;
    return { rule, time: shown };
  };

  const remember = (item: TranscriptItem): void => {
    if (item.kind === "tool") tools.set(item.tool, visibleLine(`${item.name} ${item.title}`));
    if (item.kind === "tool") lastTool = item.tool;
    // A question and its answer come between a tool and its result.
    else if (item.kind !== "question" && item.kind !== "answer") lastTool = null;
  };

  const showOne = (item: TranscriptItem, isAnswered: (questionId: string) => boolean): readonly string[] => {
    if (item.kind === "result") {
      const title = item.tool === lastTool ? null : (tools.get(item.tool) ?? null);
      return renderFolded(item, { ...options, title });
    }
    const lastTitle = tools.get(lastTool ?? "") ?? "";
    const part = renderItem(item, { ...options, isAnswered, lastTitle });
    if (part === null) return [];
    remember(item);
    const { rule, time: shown } = stamp(item.at);
    const isTurn = item.kind === "message" && rule.length === 0;
    return [
      ...(isTurn ? [ruleOf("", options)] : rule),
      ...indentBody(part.lines, `${style.dim(shown.padEnd(5))}  ${part.label}`),
    ];
  };

  return {
    show: (items) => {
      const answered = new Set(items.flatMap((item) => (item.kind === "answer" ? [item.questionId] : [])));
      return items.flatMap((item) => showOne(item, (id) => answered.has(id)));
    },
  };
}

interface ItemOptions extends ViewOptions {
  isAnswered(questionId: string): boolean;
  /** The last shown tool: a question is usually about it. */
  readonly lastTitle: string;
}

interface RenderedPart {
  readonly label: string;
  readonly lines: readonly string[];
}

function renderItem(item: Exclude<TranscriptItem, { kind: "result" }>, options: ItemOptions): RenderedPart | null {
  const { style } = options;
  const width = options.width - GUTTER;
  const wrap = (text: string): readonly string[] => wrapText(visible(text), width);
  switch (item.kind) {
    case "message":
      return {
        label: item.from === "ao" ? style.yellow("ao     ") : style.cyan("you    "),
        lines: renderFolded({ text: item.text, omitted: 0 }, { ...options, bare: true, keep: 12 }),
      };
    case "say":
      return { label: style.green("agent  "), lines: options.markdown(item.text) };
    case "end":
      return renderEnd(item, options);
    case "tool": {
      const title = wrap(item.title);
      const lines = [`${style.bold(visible(item.name))} ${title[0] ?? ""}`, ...title.slice(1)];
      const input =
        item.input === null ? [] : renderFolded({ text: item.input, omitted: 0 }, { ...options, inside: true });
      return { label: style.dim("tool   "), lines: [...lines, ...input] };
    }
    case "output":
      return {
        label: style.dim(item.stream === "err" ? "stderr " : "output "),
        lines: [visible(withoutEscapes(item.text))],
      };
    case "question":
      return {
        label: style.yellow("asks   "),
        lines: options.isAnswered(item.question.id)
          ? renderQuestionShort(item.question, { ...options, width, lastTitle: options.lastTitle })
          : renderQuestion(item.question, style, width),
      };
    case "answer":
      return { label: style.cyan("you    "), lines: wrap(item.text) };
    case "event":
      return { label: style.dim("ao     "), lines: wrap(item.text).map(levelPaint(item.level, style)) };
  }
}

function renderEnd(
  item: Extract<TranscriptItem, { kind: "end" }>,
  { style, markdown }: ItemOptions,
): RenderedPart | null {
  if (item.outcome === "interrupted") return { label: style.dim("ao     "), lines: [style.yellow("interrupted")] };
  if (item.text === null) return null;
  if (item.outcome === "done") return { label: style.green("agent  "), lines: markdown(item.text) };
  return { label: style.dim("ao     "), lines: [style.red(`turn failed: ${visibleLine(item.text)}`)] };
}

function levelPaint(level: "info" | "good" | "bad", style: Style): (text: string) => string {
  return level === "good" ? style.green : level === "bad" ? style.red : style.dim;
}

function ruleOf(text: string, { style, width }: ViewOptions): string {
  const columns = Math.min(width, MAX_RULE);
  const lead = text === "" ? "" : `── ${text} `;
  return style.dim(lead + "─".repeat(Math.max(3, columns - lead.length)));
}
