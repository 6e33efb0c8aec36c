import type { TurnEnd, UnknownNotice } from "../../../driver.ts";
import type { ChildEnd } from "../../../kit/child.ts";
import { readFailure } from "../../../kit/turn-end.ts";
import type { Listener, TurnReport } from "../dialect.ts";
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

/** Listens to a turn of Cursor: one JSON value a line, and the result at last. */
export function createListener(report: TurnReport): Listener {
  let result: Result | null = null;
  let model: string | null = null;
  const others: string[] = [];

  const onEvent = (event: CursorEvent): void => {
    switch (event.type) {
      case "system":
        model ??= event.model ?? null;
        break;
      case "user":
        report.accepted();
        break;
      case "assistant":
        for (const { type, text } of event.message.content) if (type === "text" && text !== "") report.said(text);
        break;
      case "tool_call":
        reportTool(report, event);
        break;
      case "result":
        result = event;
        reportUsage(report, event, model);
        break;
    }
  };

  return {
    line: (text) => {
      const event = parseEvent(text);
      if (event !== null) {
        if (isUnknown(event)) report.unknown(event);
        else onEvent(event);
      } else if (!text.startsWith("{")) others.push(text);
    },
    end: (end) => readEnd(end, result, others),
  };
}

function isUnknown(event: CursorEvent | UnknownNotice): event is UnknownNotice {
  return !("type" in event);
}

function reportTool(report: TurnReport, { subtype, call_id: id, tool_call: call }: ToolEvent): void {
  if (subtype === "completed") report.toolResult(id, toToolResult(call));
  if (subtype !== "started") return;
  report.tool(toToolUse(id, call));
  report.working(describeTool(call).split("\n")[0]);
}

function reportUsage(report: TurnReport, { usage }: Result, model: string | null): void {
  if (usage == null) return;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  report.used({
    inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
    cachedTokens: cacheReadTokens,
    outputTokens,
    costUsd: 0,
    model,
  });
}

function readEnd(end: ChildEnd, result: Result | null, others: readonly string[]): TurnEnd {
  if (end.code === 0 && result !== null && !result.is_error) return { kind: "finished", summary: result.result };
  const reason = result?.is_error && result.result !== "" ? result.result : reasonOf(end, others);
  const limit = readLimit([...others, ...linesOf(end.stderr)].join("\n"), reason);
  return limit ?? readFailure(reason, NAMES, new Date());
}

/** Why the program failed, in a line. Some versions print their events to both outputs. */
export function reasonOf({ how, stderr }: ChildEnd, others: readonly string[]): string {
  const lines = [...linesOf(stderr), ...others].filter((line) => line.trim() !== "");
  const told = lines.find((line) => /\berror\b|limit/i.test(line)) ?? lines.at(-1);
  return told?.trim().replace(/^Error: /, "") ?? how;
}

function linesOf(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => !line.startsWith("{"));
}

// What the plan includes comes back on a day: "... will reset when your monthly cycle ends on 11/17/2025."
function readLimit(all: string, reason: string): TurnEnd | null {
  if (!/hit your .*\blimit|usage limit/i.test(reason)) return null;
  const [, month, day, year] = /\bends on (\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(all) ?? [];
  const until = year === undefined ? null : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return { kind: "limited", until, reason: `Cursor failed: ${reason}` };
}
