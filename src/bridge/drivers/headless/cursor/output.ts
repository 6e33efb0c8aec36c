import type { TurnEnd, UnknownNotice } from "../../../driver.ts";
import type { ChildEnd } from "../../../kit/child.ts";
import { type ReportCall, type Step, step } from "../../../kit/reducer.ts";
import { readFailure } from "../../../kit/turn-end.ts";
import type { Output } from "../dialect.ts";
import {
  type CursorEvent,
  describeTool,
  parseEvent,
  type Result,
  type ToolEvent,
  toToolResult,
  toToolUse,
} from "./events.ts";

export const NAMES = { name: "Cursor", login: "Log in with `cursor-agent login`, or set CURSOR_API_KEY." };

/** The output of one Cursor turn so far. */
export interface CursorOutput {
  readonly promptId: string;
  readonly model: string | null;
  readonly result: Result | null;
  /** Lines that are not events. */
  readonly others: readonly string[];
}

/** One JSON value per line; the result comes last. */
export const cursorOutput: Output<CursorOutput> = {
  begin: (promptId) => ({ promptId, model: null, result: null, others: [] }),
  line: (state, text) => {
    const event = parseEvent(text);
    if (event === null) return step(text.startsWith("{") ? state : { ...state, others: [...state.others, text] });
    return isUnknown(event) ? step(state, [["unknown", event]]) : onEvent(state, event);
  },
  exit: ({ result, others }, end, now) => [["ended", readEnd(end, { result, others }, now)]],
};

function onEvent(state: CursorOutput, event: CursorEvent): Step<CursorOutput> {
  switch (event.type) {
    case "system":
      return step({ ...state, model: state.model ?? event.model ?? null });
    case "user":
      return step(state, [["accepted", state.promptId]]);
    case "assistant": {
      const words = event.message.content.filter(({ type, text }) => type === "text" && text !== "");
      return step(
        state,
        words.map(({ text }) => ["said", text] as const),
      );
    }
    case "tool_call":
      return step(state, describeToolEvent(event));
    case "result":
      return step({ ...state, result: event }, describeUsage(event, state.model));
  }
}

function isUnknown(event: CursorEvent | UnknownNotice): event is UnknownNotice {
  return !("type" in event);
}

function describeToolEvent({ subtype, call_id: id, tool_call: call }: ToolEvent): readonly ReportCall[] {
  if (subtype === "completed") return [["toolResult", id, toToolResult(call)]];
  if (subtype !== "started") return [];
  return [
    ["tool", toToolUse(id, call)],
    ["working", describeTool(call).split("\n")[0]],
  ];
}

function describeUsage({ usage }: Result, model: string | null): readonly ReportCall[] {
  if (usage == null) return [];
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  const sent = inputTokens + cacheReadTokens + cacheWriteTokens;
  return [["used", { inputTokens: sent, cachedTokens: cacheReadTokens, outputTokens, costUsd: 0, model }]];
}

function readEnd(end: ChildEnd, { result, others }: Pick<CursorOutput, "result" | "others">, now: Date): TurnEnd {
  if (end.code === 0 && result !== null && !result.is_error) return { kind: "finished", summary: result.result };
  const reason = result?.is_error && result.result !== "" ? result.result : reasonOf(end, others);
  const limit = readLimit([...others, ...linesOf(end.stderr)].join("\n"), reason);
  return limit ?? readFailure(reason, NAMES, now);
}

/** Why the program failed, on one line. Some versions print their events to both outputs. */
export function reasonOf({ how, stderr }: ChildEnd, others: readonly string[]): string {
  const lines = [...linesOf(stderr), ...others].filter((line) => line.trim() !== "");
  const found = lines.find((line) => /\berror\b|limit/i.test(line)) ?? lines.at(-1);
  return found?.trim().replace(/^Error: /, "") ?? how;
}

function linesOf(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => !line.startsWith("{"));
}

// A plan's quota comes back on a date: "... will reset when your monthly cycle ends on 11/17/2025."
function readLimit(all: string, reason: string): TurnEnd | null {
  if (!/hit your .*\blimit|usage limit/i.test(reason)) return null;
  const [, month, day, year] = /\bends on (\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(all) ?? [];
  // The day's end: it names no hour, and at the day's start the quota is still used up.
  const until = year === undefined ? null : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + 1));
  return { kind: "limited", until, reason: `Cursor failed: ${reason}` };
}
