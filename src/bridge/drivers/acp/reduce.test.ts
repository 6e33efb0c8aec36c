import { describe, expect, it } from "vitest";
import { type ReportCall, reduceAll } from "../../kit/reducer.ts";
import { createAcpReducer } from "./reduce.ts";
import { parseSettings } from "./settings.ts";
import { type AcpNotice, type AcpRequest, type AcpState, initialState } from "./state.ts";
import { readMeter } from "./usage.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const OPTIONS = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

/** The result of notices after a session was opened and a prompt sent, without the reports of those two. */
function reply(notices: readonly AcpNotice[], more: object = {}) {
  const opening = [...OPENED, { kind: "prompt", prompt: { id: "m1", text: "Do it." } }] as const;
  const whole = run([...opening, ...notices], more);
  const before = run(opening, more);
  return {
    state: whole.state,
    reports: whole.reports.slice(before.reports.length),
    requests: whole.requests.slice(before.requests.length),
  };
}

function run(notices: readonly AcpNotice[], more: object = {}) {
  const settings = parseSettings({ name: "Made", command: ["made"], ...more });
  const reduce = createAcpReducer({ settings, place: { cwd: "/w", home: "/h" } });
  return reduceAll<AcpState, AcpNotice, AcpRequest>(
    reduce,
    initialState(readMeter(settings, { get: () => null })),
    notices,
  );
}

const opened = { sessionId: "s", past: "none", reason: "", canLoad: true } as const;
const OPENED: readonly AcpNotice[] = [
  { kind: "started", known: null },
  { kind: "opened", opened },
  { kind: "ready", model: "m", mode: null, note: null },
];

function update(sessionUpdate: string, fields: object = {}): AcpNotice {
  return {
    kind: "notified",
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate, ...fields } },
  };
}

function say(text: string): AcpNotice {
  return update("agent_message_chunk", { content: { type: "text", text } });
}

function asks(command: string): AcpNotice {
  const toolCall = { toolCallId: "t1", kind: "execute", title: "Run", rawInput: { command } };
  const params = { sessionId: "s", toolCall, options: OPTIONS };
  return { kind: "asked", requestId: 7, questionId: "q1", method: "session/request_permission", params };
}

const stopped = (stopReason: string): AcpNotice => ({ kind: "answered", answer: { stopReason }, now: NOW });
const names = (reports: readonly ReportCall[]): readonly string[] => reports.map(([name]) => name);

describe("opening a session", () => {
  it("reports the conversation, and whether a later process can load it", () => {
    expect(run(OPENED).reports).toEqual([["conversation", "s", { resume: true }]]);
  });

  it("treats a replay as history, not as news", () => {
    const replayed = { content: { type: "text", text: "old" } };
    const { reports, requests } = run([
      { kind: "started", known: "s" },
      update("user_message_chunk", replayed),
      update("agent_message_chunk", replayed),
      update("tool_call", { toolCallId: "t", kind: "execute", rawInput: { command: "ls" } }),
    ]);
    expect([reports, requests]).toEqual([[], [{ kind: "replayed", text: "old" }]]);
  });

  it("reports that an earlier conversation is lost", () => {
    const { reports } = run([{ kind: "opened", opened: { ...opened, past: "lost", reason: "not found" } }]);
    expect(reports[1]?.[1]).toMatch(/^Made did not find its earlier conversation \(not found\)/);
  });
});

// The order of messages observed from the real programs.
describe("a turn", () => {
  it("is accepted at the first sign of work, and ends with the last words", () => {
    const { state, reports } = reply([
      update("agent_thought_chunk", { content: { type: "text", text: "hm" } }),
      say("Let me "),
      say("see."),
      update("tool_call", { toolCallId: "t", title: "Bash", kind: "execute", status: "pending" }),
      update("tool_call_update", { toolCallId: "t", rawInput: { command: "npm test\n--all" } }),
      update("tool_call_update", { toolCallId: "t", status: "completed", rawOutput: { output: "ok" } }),
      say("Done."),
      stopped("end_turn"),
    ]);
    expect(reports).toEqual([
      ["accepted", "m1"],
      ["said", "Let me see."],
      ["tool", { id: "t", name: "execute", title: "npm test\n--all", input: null }],
      ["working", "npm test"],
      ["toolResult", "t", { ok: true, text: "ok" }],
      ["said", "Done."],
      ["ended", { kind: "finished", summary: "Done." }],
    ]);
    expect(state.turn).toBeNull();
  });

  it("reports usage before its end, and cost whenever it arrives", () => {
    const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
    const { reports, requests } = reply([
      { kind: "answered", answer: { stopReason: "end_turn", usage }, now: NOW },
      update("usage_update", { cost: { amount: 0.5, currency: "USD" } }),
      update("usage_update", { cost: { amount: 9, currency: "EUR" } }),
    ]);
    expect(names(reports)).toEqual(["used", "accepted", "ended", "used"]);
    expect(requests.map((request) => request.kind)).toEqual(["note", "note"]);
  });

  it.each(["end_turn", 3, true, null, undefined, [], {}, { stopReason: 3 }])("ends with the answer %j", (answer) => {
    const { reports } = reply([say("Done."), { kind: "answered", answer, now: NOW }]);
    expect(reports.at(-1)).toEqual(["ended", { kind: "finished", summary: "Done." }]);
  });

  it("notes each version of its plan once", () => {
    const entries = [
      { content: "read", status: "completed" },
      { content: "write", status: "in_progress" },
    ];
    const { reports } = reply([update("plan", { entries }), update("plan", { entries })]);
    expect(reports).toEqual([
      ["accepted", "m1"],
      ["noted", "plan: 1 of 2 done, now: write"],
    ]);
  });

  it("shows the vendor's messages for people", () => {
    const { reports } = reply([update("notice", { severity: "info", title: "Slow", description: "Try later." })]);
    expect(reports.at(-1)).toEqual(["noted", "Slow: Try later."]);
  });

  it("that the agent itself reports as failed is a failure", () => {
    const { reports } = reply([say("Error: 429 slow down, retry after 30s"), stopped("end_turn")], {
      errorPrefix: "Error: ",
    });
    const until = new Date(NOW.getTime() + 30_000);
    expect(reports.at(-1)).toEqual(["ended", expect.objectContaining({ kind: "limited", until })]);
  });

  it("that fails with a protocol error reports the reason", () => {
    const { reports } = reply([{ kind: "refused", error: { code: -32603, message: "boom", data: null }, now: NOW }]);
    expect(reports.at(-1)).toEqual(["ended", { kind: "failed", reason: "Made failed: boom" }]);
  });
});

describe("a permission", () => {
  it("asks with the tool it is about, and is answered once", () => {
    const { reports, requests } = reply([
      asks("make"),
      { kind: "answer", questionId: "q1", choice: "Yes" },
      { kind: "answer", questionId: "q1", choice: "No" },
    ]);
    expect(names(reports)).toEqual(["accepted", "tool", "asked"]);
    expect(requests).toEqual([
      { kind: "respond", requestId: 7, result: { outcome: { outcome: "selected", optionId: "yes" } } },
    ]);
  });

  it("is withdrawn when its tool ends without an answer", () => {
    const { reports } = reply([asks("make"), update("tool_call_update", { toolCallId: "t1", status: "failed" })]);
    expect(names(reports)).toEqual(["accepted", "tool", "asked", "withdrawn", "toolResult"]);
  });

  it("is cancelled by an interrupt, and a following error belongs to the interrupt", () => {
    const { reports, requests } = reply([
      asks("make"),
      { kind: "interrupt" },
      { kind: "refused", error: { code: 1, message: "aborted", data: null }, now: NOW },
    ]);
    expect(requests).toEqual([
      { kind: "respond", requestId: 7, result: { outcome: { outcome: "cancelled" } } },
      { kind: "cancel" },
    ]);
    expect(reports.at(-1)).toEqual(["ended", { kind: "interrupted" }]);
  });

  it("outside a turn is cancelled at once", () => {
    const { reports, requests } = run([...OPENED, asks("make")]);
    expect(reports).toHaveLength(1);
    expect(requests).toMatchObject([{ kind: "respond", requestId: 7 }]);
  });
});

describe("a message the driver does not know", () => {
  it.each([
    ["another notification", { kind: "notified", method: "mood/changed", params: {} }, "mood/changed"],
    ["another kind of update", update("mood"), "mood"],
    ["an update without its fields", update("tool_call"), "tool_call"],
    ["an update without a session", { kind: "notified", method: "session/update", params: 3 }, "session/update"],
  ] as const)("%s is reported, and the turn continues", (_, notice, kind) => {
    const { reports } = reply([notice, say("x"), stopped("end_turn")]);
    expect(reports[0]).toEqual(["unknown", expect.objectContaining({ kind })]);
    expect(reports.at(-1)).toEqual(["ended", { kind: "finished", summary: "x" }]);
  });

  it("is rejected if it is a request", () => {
    const asked = { kind: "asked", requestId: 1, questionId: "q", method: "fs/read_text_file", params: {} } as const;
    expect(reply([asked]).requests).toEqual([
      { kind: "refuse", requestId: 1, code: -32601, message: "fs/read_text_file is not offered" },
    ]);
  });

  it.each([
    update("available_commands_update"),
    { kind: "notified", method: "_vendor/status", params: {} },
    { kind: "notified", method: "session/update", params: { sessionId: "other", update: { sessionUpdate: "mood" } } },
  ] as const)("does not include what the protocol lets clients ignore", (notice) => {
    expect(reply([notice]).reports).toEqual([]);
  });
});
