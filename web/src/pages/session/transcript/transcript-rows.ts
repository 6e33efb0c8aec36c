import type { TranscriptItem } from "../../../../../src/protocol/views/transcript.ts";
import { type ToolCall, toToolCall } from "./tool-call.ts";

type ItemOf<K extends TranscriptItem["kind"]> = Extract<TranscriptItem, { readonly kind: K }>;

interface ToolsRow {
  readonly kind: "tools";
  readonly id: string;
  readonly at: string | null;
  /** What happened in one go; adjacent reads are one line. */
  readonly lines: readonly (readonly ToolCall[])[];
}

interface OutputRow {
  readonly kind: "output";
  readonly id: string;
  readonly at: string | null;
  readonly stream: "out" | "err";
  readonly text: string;
}

interface MessageRow extends ItemOf<"message"> {
  /** The first message of the session. */
  readonly isTask: boolean;
}

interface QuestionRow extends ItemOf<"question"> {
  /** null: open, or withdrawn. */
  readonly answer: string | null;
}

/** A displayed part of the transcript. */
export type TranscriptRow =
  | ToolsRow
  | OutputRow
  | MessageRow
  | QuestionRow
  | ItemOf<"say">
  | ItemOf<"end">
  | ItemOf<"event">;

interface Context {
  readonly results: ReadonlyMap<string, ItemOf<"result">>;
  readonly answers: ReadonlyMap<string, string>;
  /** The first item is the start of the session. */
  readonly isWhole: boolean;
}

/** Attaches results to their calls and answers to their questions, and joins adjacent items that belong together. */
export function toRows(items: readonly TranscriptItem[], isWhole: boolean): readonly TranscriptRow[] {
  const results = new Map<string, ItemOf<"result">>();
  const answers = new Map<string, string>();
  for (const item of items) {
    if (item.kind === "result") results.set(item.tool, item);
    else if (item.kind === "answer") answers.set(item.questionId, item.text);
  }
  const rows: TranscriptRow[] = [];
  for (const item of items) {
    const joined = join(rows.at(-1), item, results);
    if (joined !== null) rows[rows.length - 1] = joined;
    else rows.push(...toRow(item, { results, answers, isWhole: isWhole && !rows.some(isMessage) }));
  }
  return rows;
}

function isMessage({ kind }: TranscriptRow): boolean {
  return kind === "message";
}

function toRow(item: TranscriptItem, { results, answers, isWhole }: Context): readonly TranscriptRow[] {
  switch (item.kind) {
    case "result":
    case "answer":
      return [];
    case "tool":
      return [{ kind: "tools", id: item.id, at: item.at, lines: [[callOf(item, results)]] }];
    case "output":
      return item.text.trim() === "" ? [] : [item];
    case "message":
      return [{ ...item, isTask: isWhole }];
    case "question":
      return [{ ...item, answer: answers.get(item.question.id) ?? null }];
    case "end":
      return item.text === null && item.outcome === "done" ? [] : [item];
    default:
      return [item];
  }
}

function callOf(tool: ItemOf<"tool">, results: ReadonlyMap<string, ItemOf<"result">>): ToolCall {
  return toToolCall(tool, results.get(tool.tool) ?? null);
}

/** The previous row with this item merged into it; null: the item needs its own row. */
function join(
  before: TranscriptRow | undefined,
  item: TranscriptItem,
  results: ReadonlyMap<string, ItemOf<"result">>,
): TranscriptRow | null {
  if (before?.kind === "output" && item.kind === "output" && before.stream === item.stream) {
    return { ...before, text: `${before.text}\n${item.text}` };
  }
  if (before?.kind !== "tools" || item.kind !== "tool" || minuteOf(before.at) !== minuteOf(item.at)) return null;
  return { ...before, lines: addCall(before.lines, callOf(item, results)) };
}

function addCall(lines: ToolsRow["lines"], call: ToolCall): ToolsRow["lines"] {
  const last = lines.at(-1) ?? [];
  const isMoreReading = call.verb === "read" && last.every(({ verb }) => verb === "read");
  return isMoreReading ? [...lines.slice(0, -1), [...last, call]] : [...lines, [call]];
}

function minuteOf(at: string | null): string {
  return at?.slice(0, 16) ?? "";
}

/** "client.ts, retry.ts, 3 more": the last path parts of what was read. */
export function summarizeReads(calls: readonly ToolCall[], shown = 3): string {
  const names = [...new Set(calls.map(({ line }) => line.split(/[\s/]/).at(-1) ?? ""))].filter(Boolean);
  const more = names.length - shown;
  return [...names.slice(0, shown), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

const PROBLEMS: Readonly<Record<string, (subject: string) => string>> = {
  "ci-failed": (check) => (check === "" ? "a check failed" : `check ${check} failed`),
  "changes-requested": () => "changes requested",
  "merge-conflict": () => "merge conflict",
  "agent-idle": () => "idle without a result",
  uncommitted: () => "uncommitted work",
};

/** What a message from `ao` is about: "check unit failed". */
export function describeAbout(about: string): string {
  const [kind = "", ...subject] = about.split(":");
  return PROBLEMS[kind]?.(subject.join(":")) ?? about.replaceAll("-", " ");
}
