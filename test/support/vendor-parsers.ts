import { readFileSync } from "node:fs";
import { createAcpReducer } from "../../src/bridge/drivers/acp/reduce.ts";
import { parseSettings as acpSettings } from "../../src/bridge/drivers/acp/settings.ts";
import { type AcpNotice, initialState as initialAcp } from "../../src/bridge/drivers/acp/state.ts";
import { readMeter as acpMeter } from "../../src/bridge/drivers/acp/usage.ts";
import { parseLine } from "../../src/bridge/drivers/claude/events.ts";
import { readInquiry } from "../../src/bridge/drivers/claude/permission.ts";
import { reduceClaude } from "../../src/bridge/drivers/claude/reduce.ts";
import { initialState as initialClaude } from "../../src/bridge/drivers/claude/state.ts";
import { parseHookEvent } from "../../src/bridge/drivers/claude/terminal/hooks.ts";
import { reduceTerminal } from "../../src/bridge/drivers/claude/terminal/reduce.ts";
import { readInquiry as readHookInquiry } from "../../src/bridge/drivers/claude/terminal/requests.ts";
import {
  initialState as initialTerminal,
  type TerminalNotice,
} from "../../src/bridge/drivers/claude/terminal/state.ts";
import { findPrompt, parseEntries, recallFrom, usageAfter } from "../../src/bridge/drivers/claude/transcript.ts";
import { reduceCodex } from "../../src/bridge/drivers/codex/reduce.ts";
import { parseSettings as codexSettings } from "../../src/bridge/drivers/codex/settings.ts";
import { type CodexNotice, initialState as initialCodex } from "../../src/bridge/drivers/codex/state.ts";
import { readMeter as codexMeter } from "../../src/bridge/drivers/codex/usage.ts";
import { aiderOutput } from "../../src/bridge/drivers/headless/aider/output.ts";
import { cursorOutput } from "../../src/bridge/drivers/headless/cursor/output.ts";
import { reduceOpencode } from "../../src/bridge/drivers/opencode/reduce.ts";
import { parseSettings as opencodeSettings } from "../../src/bridge/drivers/opencode/settings.ts";
import { initialState as initialOpencode, type OpencodeNotice } from "../../src/bridge/drivers/opencode/state.ts";
import { readMeter as opencodeMeter } from "../../src/bridge/drivers/opencode/usage.ts";
import { type ReportCall, reduceAll } from "../../src/bridge/kit/reducer.ts";
import { createRpc, type Rpc } from "../../src/bridge/kit/rpc.ts";
import { createPrinter } from "../../src/bridge/print.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const PLACE = { cwd: "/w", home: "/h" };
const EMPTY = { get: () => null };

function fixture(name: string): readonly string[] {
  return readFileSync(new URL(`../fixtures/agents/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^[<>] /, ""));
}

/** Prints the reports that contain a vendor's times, as the bridge does. */
function print(reports: readonly ReportCall[]): void {
  const printer = createPrinter(() => undefined);
  for (const report of reports) {
    if (report[0] === "limited") printer.limited(report[1], report[2]);
    else if (report[0] === "windows") printer.windows(report[1]);
    else if (report[0] === "ended" && report[1].kind === "limited") printer.limited(report[1].until, report[1].reason);
  }
}

function readClaude(line: string): void {
  const read = parseLine(line);
  if (read.kind !== "event") return;
  const { event } = read;
  print(reduceClaude(initialClaude(null), { kind: "event", event, inquiry: readInquiry(event, "/w"), now: 1 }).reports);
}

function readHook(text: string): void {
  const event = parseHookEvent(text);
  if (event === null) return;
  const opening: readonly TerminalNotice[] = [
    { kind: "opened", conversation: "id-1" },
    { kind: "prompt", prompt: { id: "m1", text: "x" } },
  ];
  const inquiry = readHookInquiry(event, "r", "/w");
  const notice: TerminalNotice = { kind: "hook", n: 1, event, inquiry, entries: [], own: null, now: 1 };
  print(reduceAll(reduceTerminal, initialTerminal(EMPTY), [...opening, notice]).reports);
}

function readTranscript(text: string): unknown {
  const entries = parseEntries(`${text}\n`);
  return [findPrompt(entries, "x"), recallFrom(entries, "p"), usageAfter(entries, null)];
}

/** A connection whose other side only prints. */
function listen(handlers: Pick<Parameters<typeof createRpc>[0], "onNotice" | "onAsked">): Rpc {
  return createRpc({ send: () => undefined, ...handlers });
}

function readCodex(line: string): void {
  const started = initialCodex({ settings: codexSettings({}), ...PLACE, isShared: true }, codexMeter(EMPTY));
  const state = {
    ...started,
    threadId: "id-1",
    turn: { promptId: "m", id: null, isInterrupted: false, lastWords: "" },
  };
  const take = (notice: CodexNotice): void => print(reduceCodex(state, notice).reports);
  listen({
    onNotice: (method, params) => take({ kind: "message", method, params }),
    onAsked: ({ id, method, params }) => take({ kind: "request", id, method, params, questionId: "q" }),
  }).take(line);
}

function readAcp(line: string): void {
  const settings = acpSettings({ name: "Made", command: ["made"] });
  const opening: readonly AcpNotice[] = [
    { kind: "started", known: null },
    { kind: "opened", opened: { sessionId: "s", past: "none", reason: "", canLoad: true } },
    { kind: "ready", model: "m", mode: null, note: null },
    { kind: "prompt", prompt: { id: "m1", text: "x" } },
  ];
  const reduce = createAcpReducer({ settings, place: PLACE });
  const take = (notice: AcpNotice): void =>
    print(reduceAll(reduce, initialAcp(acpMeter(settings, EMPTY)), [...opening, notice]).reports);
  listen({
    onNotice: (method, params) => take({ kind: "notified", method, params }),
    onAsked: ({ id, method, params }) => take({ kind: "asked", requestId: id, questionId: "q", method, params }),
  }).take(line);
  for (const answer of resultsIn(line)) take({ kind: "answered", answer, now: NOW });
}

// A connection passes on an answer only later, when the parser's caller no longer sees an error.
function resultsIn(line: string): readonly unknown[] {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null && "result" in message ? [message.result] : [];
  } catch {
    return [];
  }
}

function readOpencode(text: string): void {
  let event: unknown = text;
  try {
    event = JSON.parse(text);
  } catch {
    // Any other text is an event of an unknown shape.
  }
  const opening: readonly OpencodeNotice[] = [
    { kind: "opened", opened: { sessionId: "ses_1", past: "none", reason: "" }, own: [], used: null },
    { kind: "prompt", prompt: { id: "m1", text: "x" } },
  ];
  const initial = initialOpencode(opencodeSettings({ permissions: "ask" }), PLACE, opencodeMeter(EMPTY));
  print(reduceAll(reduceOpencode, initial, [...opening, { kind: "event", event }]).reports);
}

const opencodeEvents = ["limit.jsonl", "rules.jsonl", "questions.jsonl"]
  .flatMap((name) => fixture(`opencode/${name}`))
  .map((line) => JSON.parse(line) as { readonly kind: string; readonly event?: object })
  .flatMap(({ kind, event }) => (kind === "event" ? [JSON.stringify(event)] : []));

const acp = (method: string, params: object, id?: number): string =>
  JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params });
const update = (fields: object): string => acp("session/update", { sessionId: "s", update: fields });
const toolCall = { toolCallId: "t", title: "x", kind: "edit", status: "completed", rawInput: { command: "make" } };
const diff = { type: "diff", path: "a", oldText: "1", newText: "2" };

/** Readers of what agents' programs print, up to the lines that the bridge prints about it. */
export const VENDOR_PARSERS = {
  "Claude Code's lines": {
    examples: ["turn.txt", "limit.txt", "question.txt"].flatMap((name) => fixture(`claude/${name}`)),
    parse: readClaude,
  },
  "Claude Code's hooks": {
    examples: [
      ...fixture("claude/terminal-turns.jsonl"),
      '{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"x"},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"x"}]},{"type":"setMode","mode":"x"},{"type":"addDirectories","directories":["/a"]}]}',
    ],
    parse: readHook,
  },
  "Claude Code's transcripts": {
    examples: [
      '{"type":"user","uuid":"p","message":{"content":[{"type":"text","text":"x"}]}}',
      '{"type":"assistant","message":{"id":"a","model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"x"}]}}',
    ],
    parse: readTranscript,
  },
  "Codex's lines": { examples: fixture("codex/conversation.txt"), parse: readCodex },
  "OpenCode's events": { examples: opencodeEvents, parse: readOpencode },
  "lines of the Agent Client Protocol": {
    examples: [
      update({ sessionUpdate: "tool_call", ...toolCall, content: [diff], locations: [{ path: "a" }] }),
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } }),
      update({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "USD" } }),
      acp(
        "session/request_permission",
        { sessionId: "s", toolCall, options: [{ optionId: "a", name: "x", kind: "allow_once" }] },
        1,
      ),
      '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3}}}',
      '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn","_meta":{"quota":{"token_count":{"input_tokens":1,"output_tokens":2},"model_usage":[]}}}}',
    ],
    parse: readAcp,
  },
  "Cursor's lines": {
    examples: [
      '{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}',
      '{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{"shellToolCall":{"args":{"command":"x"}}}}',
      '{"type":"result","subtype":"success","is_error":false,"result":"x","usage":{"inputTokens":1}}',
    ],
    parse: (text: string): void => print(cursorOutput.line(cursorOutput.begin("m"), text, NOW).reports),
  },
  "Aider's lines": {
    examples: [
      "Tokens: 1.2k sent, 3 received. Cost: $0.01 message",
      "Model: x with diff edit format",
      "litellm.RateLimitError: x",
      "Retrying in 0.2 seconds...",
    ],
    parse: (text: string): void => print(aiderOutput.line(aiderOutput.begin("m"), text, NOW).reports),
  },
};
