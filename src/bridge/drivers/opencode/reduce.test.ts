import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ReportCall, reduceAll } from "../../kit/reducer.ts";
import { reduceOpencode } from "./reduce.ts";
import { parseSettings } from "./settings.ts";
import { initialState, type OpencodeNotice, type OpencodeStep } from "./state.ts";
import { readMeter } from "./usage.ts";

const recordings = new URL("../../../../test/fixtures/agents/opencode/", import.meta.url);
const NOW = new Date("2026-01-01T00:00:00Z");

function reduce(notices: readonly OpencodeNotice[], policy: object = { permissions: "ask" }): OpencodeStep {
  const place = { cwd: "/place/workspace", home: "/place/home" };
  const initial = initialState(parseSettings(policy), place, readMeter({ get: () => null }));
  return reduceAll(reduceOpencode, initial, notices);
}

/** A recorded conversation of OpenCode 1.18.33: its events, what was read from it, and what was sent to it. */
function replay(name: string, policy: object): OpencodeStep {
  const lines = readFileSync(new URL(name, recordings), "utf8").trim().split("\n");
  const dated = (key: string, value: unknown): unknown => (key === "now" ? new Date(String(value)) : value);
  return reduce(
    lines.map((line) => JSON.parse(line, dated) as OpencodeNotice),
    policy,
  );
}

const named = <Name extends ReportCall[0]>(reports: readonly ReportCall[], name: Name): readonly unknown[] =>
  reports.filter((call) => call[0] === name).map((call) => call[1]);
const posted = ({ requests }: OpencodeStep): readonly (readonly [string, object | undefined])[] =>
  requests.flatMap((request) => (request.kind === "post" ? [[request.path, request.body] as const] : []));

describe("a recorded conversation", () => {
  it.each([
    ["limit.jsonl", { permissions: "all" }],
    ["rules.jsonl", { permissions: "ask", deny: ["touch own-b.txt"] }],
    ["outside.jsonl", { permissions: "edits", deny: ["./secret.txt"] }],
    ["questions.jsonl", { permissions: "all" }],
  ])("%s contains nothing unknown, and leaves nothing open", (name, policy) => {
    const { state, reports } = replay(name, policy);
    expect(named(reports, "unknown")).toEqual([]);
    expect(state).toMatchObject({ turn: null, approvals: { open: [], answers: {} } });
  });

  it("waits for a rate limit, and can be interrupted meanwhile", () => {
    const step = replay("limit.jsonl", { permissions: "all" });
    const kinds = step.reports.map(([name]) => name).filter((name) => name !== "usedInAll");
    const next = ["accepted", "said", "ended"];
    expect(kinds).toEqual(["conversation", "accepted", "limited", "working", "limited", "ended", ...next]);
    expect(named(step.reports, "limited")).toEqual([new Date(1794801133384), new Date(1794801137781)]);
    expect(posted(step)).toEqual([["/session/ses_1/abort", undefined]]);
    expect(named(step.reports, "ended")).toEqual([{ kind: "interrupted" }, { kind: "finished", summary: "fine" }]);
  });

  it("answers by the user's own rules and the policy, and asks about the rest", () => {
    const step = replay("rules.jsonl", { permissions: "ask", deny: ["touch own-b.txt"] });
    expect(posted(step)).toEqual([
      ["/permission/per_1/reply", { reply: "once" }],
      ["/permission/per_2/reply", { reply: "reject", message: expect.stringContaining("policy") }],
      ["/permission/per_3/reply", { reply: "reject", message: expect.stringContaining("policy") }],
      ["/permission/per_4/reply", { reply: "reject", message: expect.stringContaining("policy") }],
      ["/permission/per_5/reply", { reply: "once" }],
    ]);
    expect(named(step.reports, "asked")).toMatchObject([{ id: "per_5", detail: { text: "touch other.txt" } }]);
  });

  it("asks once about a command that leaves the workspace", () => {
    const step = replay("outside.jsonl", { permissions: "edits", deny: ["./secret.txt"] });
    expect(named(step.reports, "asked")).toMatchObject([
      { id: "per_3", question: expect.stringContaining("outside of the workspace"), detail: { format: "command" } },
    ]);
    const reply = (answer: string): unknown => [expect.anything(), expect.objectContaining({ reply: answer })];
    expect(posted(step)).toEqual(["once", "reject", "once", "once"].map(reply));
  });

  it("forwards the agent's questions, and reports its usage before its end", () => {
    const step = replay("questions.jsonl", { permissions: "all" });
    expect(named(step.reports, "asked")).toMatchObject([{ kind: "question", choices: ["red", "blue"] }]);
    expect(posted(step)).toEqual([["/question/que_1/reply", { answers: [["blue"]] }]]);
    expect(named(step.reports, "usedInAll").at(-1)).toMatchObject({ inputTokens: 4800, model: "local/other" });
    expect(step.reports.at(-1)).toEqual(["ended", { kind: "finished", summary: "over" }]);
  });
});

const opened: OpencodeNotice = {
  ...{ kind: "opened", opened: { sessionId: "s", past: "none", reason: "" }, own: [], used: null },
};
const prompt: OpencodeNotice = { kind: "prompt", prompt: { id: "m1", text: "Do it." } };
const event = (type: string, properties: object): OpencodeNotice => ({
  ...{ kind: "event", event: { type, properties: { sessionID: "s", ...properties } } },
});
const part = (fields: object): OpencodeNotice => event("message.part.updated", { part: { id: "p", ...fields } });
const taken = part({ type: "text", text: "Do it.", metadata: { ao: { prompt: "m1" } } });
const status = (type: string): OpencodeNotice => event("session.status", { status: { type } });
const overdue: OpencodeNotice = { kind: "prompt-overdue", turn: 1 };
const inspected = (more: object = {}): OpencodeNotice => ({
  ...{ kind: "inspected", isAtWork: false, promptIds: [], permissions: [], questions: [], ...more },
});
const endRead = (more: object = {}): OpencodeNotice => {
  const last = { id: "a", role: "assistant", finish: "stop", time: { completed: 1 } };
  return { kind: "end-read", isAtWork: false, last, now: NOW, ...more };
};
const used = { total: { inputTokens: 5, cachedTokens: 0, outputTokens: 1, costUsd: 0 }, model: null };
const usageRead: OpencodeNotice = { kind: "usage-read", used };
const names = ({ reports }: OpencodeStep): readonly string[] => reports.map(([name]) => name);
const requested = ({ requests }: OpencodeStep): readonly string[] => requests.map(({ kind }) => kind);

describe("the end of a turn", () => {
  it("is read when the program reports that it is idle, and reported after its usage", () => {
    const idle = reduce([opened, prompt, taken, status("busy"), status("idle")]);
    expect(requested(idle)).toEqual(["send-prompt", "read-end"]);
    const over = reduce([opened, prompt, taken, status("busy"), status("idle"), endRead(), usageRead]);
    expect(names(over)).toEqual(["conversation", "accepted", "usedInAll", "ended"]);
  });

  it("does not come while the program is busy, or while its last message is incomplete", () => {
    const unfinished = { id: "a", role: "assistant", time: {} };
    for (const more of [{ isAtWork: true, last: null }, { last: unfinished }]) {
      expect(reduce([opened, prompt, taken, status("idle"), endRead(more), usageRead]).state.turn).not.toBeNull();
    }
  });

  it("is not read before the prompt is accepted", () => {
    expect(requested(reduce([opened, prompt, status("idle")]))).toEqual(["send-prompt"]);
  });
});

describe("a prompt", () => {
  it("that the server rejects fails the turn", () => {
    const refused: OpencodeNotice = { kind: "prompt-refused", turn: 1, reason: "no" };
    expect(reduce([opened, prompt, refused]).reports.at(-1)).toEqual(["ended", { kind: "failed", reason: "no" }]);
  });

  it("that is overdue is looked up in the records, and given up if it is not there", () => {
    const late = [opened, prompt, overdue];
    expect(requested(reduce(late))).toEqual(["send-prompt", "inspect"]);
    expect(reduce([...late, inspected()]).reports.at(-1)).toMatchObject(["ended", { kind: "failed" }]);
    const found = reduce([...late, inspected({ isAtWork: true, promptIds: ["m1"] })]);
    expect(names(found)).toEqual(["conversation", "accepted"]);
  });

  it("of an earlier turn with the same id cannot make this one overdue", () => {
    const again = reduce([opened, prompt, { kind: "prompt-refused", turn: 1, reason: "no" }, prompt, overdue]);
    expect(requested(again)).toEqual(["send-prompt", "send-prompt"]);
  });
});

describe("an interrupt", () => {
  it("waits until the program has started the turn, because it would not notice it before", () => {
    expect(requested(reduce([opened, prompt, { kind: "interrupt" }]))).toEqual(["send-prompt"]);
    expect(requested(reduce([opened, prompt, { kind: "interrupt" }, status("busy")]))).toEqual(["send-prompt", "post"]);
  });

  it("between turns does nothing", () => {
    expect(requested(reduce([opened, { kind: "interrupt" }]))).toEqual([]);
  });
});

describe("what happens in the session", () => {
  it("before it is open, or in another one, is ignored", () => {
    expect(reduce([status("busy")])).toMatchObject({ reports: [], state: { turn: null } });
    const other = event("session.status", { sessionID: "other", status: { type: "busy" } });
    expect(names(reduce([opened, other]))).toEqual(["conversation"]);
  });

  it("without our prompt is a turn of a person at its screen", () => {
    const { state, reports } = reduce([opened, status("busy")]);
    expect(reports.at(-1)).toEqual(["working"]);
    expect(state.turn).toMatchObject({ promptId: null, isAccepted: true });
  });

  it("in a sub-agent asks for permission too, and its words are not the agent's", () => {
    const child = event("session.created", { sessionID: "c", info: { parentID: "s" } });
    const asks = event("permission.asked", {
      sessionID: "c",
      id: "q",
      permission: "bash",
      metadata: { command: "ls" },
    });
    const words = event("message.part.updated", {
      ...{ sessionID: "c", part: { id: "w", type: "text", text: "words", time: { end: 1 } } },
    });
    const step = reduce([opened, prompt, taken, child, words, asks]);
    expect(names(step)).toEqual(["conversation", "accepted", "asked"]);
  });

  it("during a gap is read afterwards, including missed questions", () => {
    expect(requested(reduce([opened, { kind: "gap" }]))).toEqual(["inspect"]);
    const asked = {
      id: "q",
      sessionID: "s",
      permission: "bash",
      patterns: [],
      always: [],
      metadata: { command: "ls" },
    };
    const seen = inspected({ isAtWork: true, permissions: [asked, { ...asked, id: "o", sessionID: "other" }] });
    const step = reduce([opened, { kind: "gap" }, seen, seen]);
    expect(named(step.reports, "asked")).toMatchObject([{ id: "q" }]);
  });
});

describe("a question", () => {
  const questions = [
    { question: "One?", options: [], custom: true },
    { question: "Two?", options: [], custom: true },
  ];
  const asked = event("question.asked", { id: "r", questions });

  it("with several parts is answered when all are", () => {
    const first: OpencodeNotice = { kind: "answer", questionId: "r-1", choice: "b" };
    const second: OpencodeNotice = { kind: "answer", questionId: "r-0", choice: "a" };
    expect(posted(reduce([opened, asked, first]))).toEqual([]);
    expect(posted(reduce([opened, asked, first, second]))).toEqual([
      ["/question/r/reply", { answers: [["a"], ["b"]] }],
    ]);
  });

  it("that someone answered at the screen is withdrawn", () => {
    const replied = event("question.replied", { requestID: "r" });
    expect(named(reduce([opened, asked, replied]).reports, "withdrawn")).toEqual(["r-0", "r-1"]);
  });

  it("without content is answered at once", () => {
    const empty = event("question.asked", { id: "r", questions: [] });
    expect(posted(reduce([opened, empty]))).toEqual([["/question/r/reply", { answers: [] }]]);
  });
});

describe("opening", () => {
  it("a lost conversation reports it, and keeps the earlier usage", () => {
    const lost = { ...opened, opened: { sessionId: "n", past: "lost", reason: "404" } } as OpencodeNotice;
    const step = reduce([opened, usageRead, lost]);
    expect(step.reports.at(-1)?.[1]).toMatch(/^OpenCode did not find its earlier conversation \(404\)/);
    expect(step.state.meter.before).toEqual(used.total);
  });

  it("a known one reports the usage of an earlier process", () => {
    expect(names(reduce([{ ...opened, used } as OpencodeNotice]))).toEqual(["conversation", "usedInAll"]);
  });
});
