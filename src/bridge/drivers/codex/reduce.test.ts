import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ReportCall, reduceAll, type Step } from "../../kit/reducer.ts";
import { reduceCodex } from "./reduce.ts";
import { parseSettings } from "./settings.ts";
import { type CodexNotice, type CodexRequest, type CodexState, initialState } from "./state.ts";
import { readMeter } from "./usage.ts";

const recording = new URL("../../../../test/fixtures/agents/codex/conversation.txt", import.meta.url);

function reduce(notices: readonly CodexNotice[], isShared = false): Step<CodexState, CodexRequest> {
  const rules = { settings: parseSettings({}), cwd: "/place/workspace", home: "/h", isShared };
  return reduceAll(reduceCodex, initialState(rules, readMeter({ get: () => null })), notices);
}

interface Line {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly clientUserMessageId?: string; readonly input?: readonly [{ readonly text: string }] };
  readonly result?: { readonly decision?: string; readonly turn?: { readonly id: string } };
}

/** A recorded line as a notice; the driver's own lines became prompts or answers. */
function toNotice(
  isOurs: boolean,
  { id = -1, method, params, result }: Line,
  prompts: Map<number, string>,
): CodexNotice | null {
  if (isOurs && method === "turn/start") {
    prompts.set(id, params?.clientUserMessageId ?? "");
    return { kind: "prompt", prompt: { id: params?.clientUserMessageId ?? "", text: params?.input?.[0].text ?? "" } };
  }
  const choice = { accept: "allow", decline: "deny" }[result?.decision ?? ""];
  if (isOurs) return choice === undefined ? null : { kind: "answer", questionId: `q${id}`, choice };
  if (result?.turn !== undefined)
    return { kind: "prompt-taken", promptId: prompts.get(id) ?? "", turnId: result.turn.id };
  if (method === undefined) return null;
  return id < 0 ? { kind: "message", method, params } : { kind: "request", id, method, params, questionId: `q${id}` };
}

function readRecording(): readonly CodexNotice[] {
  const prompts = new Map<number, string>();
  const lines = readFileSync(recording, "utf8").trim().split("\n");
  return lines.flatMap((line) => toNotice(line.startsWith(">"), JSON.parse(line.slice(2)) as Line, prompts) ?? []);
}

const thread = { threadId: "id-1", past: "none", reason: "", model: "gpt-5" } as const;
const opened: CodexNotice = { kind: "opened", thread };
const prompt = (id: string): CodexNotice => ({ kind: "prompt", prompt: { id, text: `text of ${id}` } });
const message = (method: string, params: object): CodexNotice => ({
  ...{ kind: "message", method },
  params: { threadId: "id-1", ...params },
});
const started = message("turn/started", { turn: { id: "t1" } });
const completed = (status: string, id = "t1"): CodexNotice => message("turn/completed", { turn: { id, status } });
const question: CodexNotice = {
  ...{ kind: "request", id: 3, questionId: "q3", method: "item/commandExecution/requestApproval" },
  params: { itemId: "c", command: "make" },
};
const interrupt: CodexNotice = { kind: "interrupt" };

describe("a recorded conversation", () => {
  const { reports, requests, state } = reduce([opened, ...readRecording()]);
  const named = (name: ReportCall[0]): readonly unknown[] =>
    reports.filter((call) => call[0] === name).map((call) => call[1]);

  it("sends the program what was recorded", () => {
    const wanted = requests.filter(({ kind }) => kind !== "note");
    expect(wanted).toMatchObject([
      { kind: "start-turn", prompt: { id: "m1" } },
      { kind: "respond", requestId: 0, result: { decision: "accept" } },
      { kind: "respond", requestId: 1, result: { decision: "decline" } },
      { kind: "start-turn", prompt: { id: "m2" } },
      { kind: "start-turn", prompt: { id: "m3" } },
    ]);
  });

  it("is reported with its receipts, words, questions, usage and ends", () => {
    expect(named("accepted")).toEqual(["m1", "m2", "m3"]);
    expect(named("said")).toEqual(["over"]);
    expect(named("asked")).toMatchObject([{ id: "q0" }, { id: "q1" }]);
    expect(named("usedInAll").at(-1)).toMatchObject({ inputTokens: 3600, cachedTokens: 600, model: "gpt-5" });
    expect(named("ended")).toMatchObject([
      { kind: "finished", summary: "over" },
      { kind: "failed" },
      { kind: "limited" },
    ]);
    expect(named("working")).toEqual(["touch yes.txt", "touch no.txt"]);
  });

  it("contains nothing unknown, and leaves nothing open", () => {
    expect(named("unknown")).toEqual([]);
    expect(state).toMatchObject({ turn: null, approvals: { open: [], changes: {} } });
  });
});

describe("notices", () => {
  it.each<[string, readonly CodexNotice[], readonly ReportCall[]]>([
    [
      "of an unknown kind are reported as such, and nothing breaks",
      [message("of/tomorrow", {}), completed("completed")],
      [
        ["unknown", { kind: "of/tomorrow", body: { threadId: "id-1" } }],
        ["ended", { kind: "finished", summary: "" }],
      ],
    ],
    [
      "of a known kind in an unknown form are reported too",
      [message("turn/completed", {})],
      [["unknown", { kind: "turn/completed", body: { threadId: "id-1" } }]],
    ],
    ["that are irrelevant are ignored", [message("item/agentMessage/delta", { delta: "x" })], []],
    ["of another thread are ignored", [message("turn/completed", { threadId: "other", turn: { id: "t1" } })], []],
    ["about the end of another turn are ignored", [started, completed("completed", "t0")], []],
    [
      "about the same end count once",
      [completed("interrupted"), completed("interrupted")],
      [["ended", { kind: "interrupted" }]],
    ],
    [
      "about a coming retry are shown",
      [message("error", { error: { message: "busy" }, willRetry: true })],
      [["working", "busy; it tries again."]],
    ],
  ])("%s", (_what, notices, reports) => {
    expect(reduce([opened, prompt("m1"), ...notices]).reports.slice(1)).toEqual(reports);
  });
});

describe("an interrupt", () => {
  const interruptions = (notices: readonly CodexNotice[]): readonly string[] =>
    reduce([opened, ...notices]).requests.flatMap((one) => (one.kind === "interrupt-turn" ? [one.turnId] : []));

  it.each<[string, readonly CodexNotice[], readonly string[]]>([
    ["of a turn that the program has named is sent", [prompt("m1"), started, interrupt], ["t1"]],
    ["of a turn without a name waits for the name", [prompt("m1"), interrupt, started], ["t1"]],
    [
      "is sent once if the answer also names the turn",
      [prompt("m1"), interrupt, { kind: "prompt-taken", promptId: "m1", turnId: "t1" }, started],
      ["t1"],
    ],
    ["between turns does nothing", [interrupt, prompt("m1"), started], []],
    [
      "of an older turn does not reach the next one",
      [prompt("m1"), interrupt, completed("interrupted"), prompt("m2"), started],
      [],
    ],
  ])("%s", (_what, notices, turnIds) => {
    expect(interruptions(notices)).toEqual(turnIds);
  });

  it("during a question ends the turn and the question", () => {
    const { state, reports, requests } = reduce([
      opened,
      prompt("m1"),
      started,
      question,
      interrupt,
      completed("interrupted"),
    ]);
    expect(state).toMatchObject({ turn: null, approvals: { open: [] } });
    expect(reports.slice(-2)).toMatchObject([
      ["asked", { id: "q3" }],
      ["ended", { kind: "interrupted" }],
    ]);
    expect(requests.at(-1)).toEqual({ kind: "interrupt-turn", turnId: "t1" });
  });
});

describe("a prompt that the program rejects", () => {
  it("fails its own turn only", () => {
    const refused: CodexNotice = { kind: "prompt-refused", promptId: "m1", reason: "no thread" };
    expect(reduce([opened, prompt("m1"), refused]).reports.at(-1)).toEqual([
      "ended",
      { kind: "failed", reason: "Codex failed: no thread" },
    ]);
    expect(reduce([opened, prompt("m2"), refused]).reports).toHaveLength(1);
  });
});

describe("a turn that a person started in the program's own interface", () => {
  it("is reported with the typed text, and interrupted when the driver closes", () => {
    const typed = message("item/completed", { item: { type: "userMessage", content: [{ text: "hello" }] } });
    const { reports, requests } = reduce([opened, started, typed, { kind: "close" }, completed("completed")], true);
    expect(reports.slice(1)).toEqual([["working"], ["typed", "hello"]]);
    expect(requests.at(-1)).toEqual({ kind: "interrupt-turn", turnId: "t1" });
  });
});

describe("a lost conversation", () => {
  it("is reported, and its usage is included in the total", () => {
    const total = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 1 };
    const counts = (id: string): CodexNotice =>
      message("thread/tokenUsage/updated", { threadId: id, tokenUsage: { total } });
    const lost: CodexNotice = {
      kind: "opened",
      thread: { ...thread, threadId: "id-2", past: "lost", reason: "not found" },
    };
    const { reports } = reduce([{ kind: "opening", threadId: "id-1" }, counts("id-1"), lost, counts("id-2")]);
    expect(reports.map(([name]) => name)).toEqual(["usedInAll", "conversation", "said", "usedInAll"]);
    expect(reports.at(-1)).toMatchObject(["usedInAll", { inputTokens: 20 }]);
  });
});
