import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ReportCall, reduceAll } from "../../../kit/reducer.ts";
import { parseEntries } from "../transcript.ts";
import { type HookEvent, parseHookEvent } from "./hooks.ts";
import { reduceTerminal } from "./reduce.ts";
import { readInquiry } from "./requests.ts";
import { type HookNotice, initialState, type TerminalNotice, type TerminalStep } from "./state.ts";

const recordings = new URL("../../../../../test/fixtures/agents/claude/", import.meta.url);

function take(notices: readonly TerminalNotice[]): TerminalStep & { readonly names: readonly string[] } {
  const opened: TerminalNotice = { kind: "opened", conversation: "id-1" };
  const all = reduceAll(reduceTerminal, initialState({ get: () => null }), [opened, ...notices]);
  const reports = all.reports.slice(1);
  return { ...all, reports, requests: all.requests.slice(1), names: reports.map(([name]) => name) };
}

let events = 0;

/** A hook event, at a time. */
function hook(fields: Readonly<Record<string, unknown>>, more: Partial<HookNotice> = {}): HookNotice {
  const event = parseHookEvent(JSON.stringify(fields)) as HookEvent;
  events += 1;
  const inquiry = readInquiry(event, `r-${event.tool_input["command"]}`, "/w");
  return { kind: "hook", n: events, event, inquiry, entries: [], own: null, now: 1000, ...more };
}

function readRecording(name: string): readonly HookNotice[] {
  const lines = readFileSync(new URL(name, recordings), "utf8").trim().split("\n");
  return lines.map((line) => hook(JSON.parse(line) as Record<string, unknown>));
}

const named = (reports: readonly ReportCall[], name: ReportCall[0]): readonly unknown[] =>
  reports.filter((call) => call[0] === name).map((call) => call[1]);
const bash = (name: string, command: string): Readonly<Record<string, unknown>> => ({
  ...{ hook_event_name: name, tool_name: "Bash", tool_input: { command } },
});
const submit = (prompt: string): HookNotice => hook({ hook_event_name: "UserPromptSubmit", prompt });
const stop = (summary: string): HookNotice => hook({ hook_event_name: "Stop", last_assistant_message: summary });
const ask = (command: string, more: Partial<HookNotice> = {}): HookNotice =>
  hook(bash("PermissionRequest", command), more);
const answer = (questionId: string, choice: string): TerminalNotice => ({ kind: "answer", questionId, choice });
const given: TerminalNotice = { kind: "prompt", prompt: { id: "m1", text: "do it" } };
const typing: TerminalNotice = { kind: "typing", id: "m1", text: "do it", from: 0 };
const interrupt: TerminalNotice = { kind: "interrupt" };
const status = (state: string, since: number, now = since): TerminalNotice => ({
  ...{ kind: "status", own: { status: state, since }, entries: [], now },
});
const cleared: TerminalNotice = { kind: "input-cleared", since: 1000 };
const ESCAPE = { kind: "press-escape", since: 1000 };

describe("recorded turns", () => {
  it("are followed to their ends, and contain nothing unknown", () => {
    const { reports, requests } = take(readRecording("terminal-turns.jsonl"));
    expect(requests.filter(({ kind }) => kind === "save-turn")).toMatchObject([
      { how: { kind: "finished", summary: "both" } },
      { how: { kind: "failed", reason: expect.stringContaining("not logged in") } },
      { how: { kind: "limited" } },
      { how: { kind: "unavailable", reason: expect.stringContaining("500") } },
    ]);
    expect(named(reports, "tool")).toMatchObject([{ name: "Bash" }]);
    expect(named(reports, "unknown")).toEqual([]);
  });

  it("that were interrupted leave no question open", () => {
    const { state, names, requests } = take(readRecording("terminal-interrupts.jsonl"));
    expect(names.filter((name) => name === "asked" || name === "withdrawn")).toEqual(["asked", "withdrawn"]);
    expect(state).toMatchObject({ turnSince: null, requests: { open: [], answers: {} } });
    expect(requests.filter(({ kind }) => kind === "release")).toMatchObject([{ answer: null }]);
  });
});

describe("a prompt", () => {
  it("is accepted once it is in the transcript", () => {
    const taken = take([given, typing, submit("do it")]);
    expect(taken.requests.at(-1)).toMatchObject({ kind: "find-prompt", typed: { id: "m1" } });
    expect(taken.names).toEqual([]);
    const found = take([given, typing, submit("do it"), { kind: "prompt-found", id: "m1", uuid: "u1" }]);
    expect(found.reports).toEqual([["accepted", "m1"]]);
    expect(found.state.typed).toMatchObject({ id: "m1", uuid: "u1" });
  });

  it.each([
    ["of other words", [given, typing, submit("mine")]],
    ["of the same words, once more", [given, typing, submit("do it"), stop(""), submit("do it")]],
  ])("%s is a person's", (_what, notices) => {
    expect(take(notices).reports.slice(-2)).toEqual([
      ["typed", notices.at(-1)?.kind === "hook" ? (notices.at(-1) as HookNotice).event.prompt : ""],
      ["working", "answering you in its terminal"],
    ]);
  });
});

describe("a question", () => {
  const turn = submit("mine");

  it.each<[string, readonly TerminalNotice[], readonly (string | null)[], number]>([
    [
      "is answered once, however often the answer comes",
      [ask("a"), answer("r-a", "allow"), answer("r-a", "deny")],
      ["allow"],
      0,
    ],
    ["answered at the keyboard is withdrawn when its tool ran", [ask("a"), hook(bash("PostToolUse", "a"))], [null], 1],
    ["is withdrawn when the program becomes busy after it", [ask("a"), status("busy", 2000)], [null], 1],
    ["stays when the program was busy before it", [ask("a"), status("busy", 900), status("waiting", 2000)], [], 0],
    ["asked alongside another stays when the program is busy", [ask("a"), ask("b"), status("busy", 2000)], [], 0],
    ["ends with its turn", [ask("a"), stop("done"), answer("r-a", "allow")], [null], 1],
    ["ends when a person continues without it", [ask("a"), submit("other")], [null], 1],
    [
      "of a turn that is already over is not asked",
      [stop("x"), ask("a", { own: { status: "idle", since: 1 } })],
      [null],
      0,
    ],
  ])("%s", (_what, notices, released, withdrawn) => {
    const { requests, reports } = take([turn, ...notices]);
    const answers = requests.flatMap((one) => (one.kind === "release" ? [one.answer] : []));
    expect(answers).toEqual(released.map((behavior) => (behavior === null ? null : expect.stringContaining(behavior))));
    expect(named(reports, "withdrawn")).toHaveLength(withdrawn);
  });
});

describe("an interrupt", () => {
  it.each<[string, readonly TerminalNotice[], readonly object[]]>([
    ["of a running turn presses a key", [submit("mine"), interrupt], [ESCAPE]],
    ["during a question presses a key", [submit("mine"), ask("a"), interrupt], [ESCAPE]],
    ["between turns does nothing", [interrupt, submit("mine")], []],
    [
      "of a prompt that the program has yet to take waits for it",
      [given, typing, interrupt, submit("do it")],
      [ESCAPE],
    ],
    [
      "of a prompt does not reach the next one",
      [given, typing, interrupt, submit("do it"), stop(""), given, typing, submit("do it")],
      [ESCAPE],
    ],
  ])("%s", (_what, notices, keys) => {
    expect(take(notices).requests.filter(({ kind }) => kind === "press-escape")).toEqual(keys);
  });

  it("at the keyboard ends the turn once the program has been idle for a while", () => {
    const idle = [
      submit("mine"),
      ask("a"),
      status("idle", 1500),
      status("idle", 1500, 3000),
      status("idle", 1500, 3300),
    ];
    expect(take(idle).requests.filter(({ kind }) => kind === "clear-input")).toEqual([
      { kind: "clear-input", since: 1000 },
    ]);
    const { state, requests, names } = take([...idle, cleared, cleared]);
    expect(requests.filter(({ kind }) => kind === "save-turn")).toEqual([
      { kind: "save-turn", how: { kind: "interrupted" } },
    ]);
    expect(names.at(-1)).toBe("withdrawn");
    expect(state).toMatchObject({ turnSince: null, isClearing: false, requests: { open: [] } });
  });

  it("is not inferred from idleness before the turn", () => {
    expect(take([submit("mine"), status("idle", 900, 9000)]).requests).toEqual([]);
  });

  it("is not undone by a tool whose hook arrives late", () => {
    const late = hook({ ...bash("PreToolUse", "a"), tool_use_id: "t" }, { own: { status: "idle", since: 1 } });
    const { state, names } = take([submit("mine"), status("idle", 1500, 3000), cleared, late]);
    expect(state.turnSince).toBeNull();
    expect(names.at(-1)).toBe("tool");
  });
});

describe("what the agent said and did", () => {
  const entries = (...list: readonly object[]): ReturnType<typeof parseEntries> =>
    parseEntries(list.map((entry) => JSON.stringify(entry)).join("\n"));
  const says = (text: string): object => ({ type: "assistant", message: { content: [{ type: "text", text }] } });
  const uses = { type: "assistant", message: { content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] } };
  const gives = { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: "a.txt" }] } };
  const over = (...list: readonly object[]): TerminalNotice => ({
    ...{ kind: "turn-saved", how: { kind: "finished", summary: "Done." }, entries: entries(...list) },
    ...{ usages: [], last: "msg-1" },
  });

  it("comes from the transcript in order, with the last words once", () => {
    const tool = hook({ ...bash("PreToolUse", "ls"), tool_use_id: "t" }, { entries: entries(says("First.")) });
    const { reports, requests } = take([submit("mine"), tool, stop("Done."), over(uses, gives, says("Done."))]);
    expect(reports.slice(2).map(([name, what]) => (typeof what === "string" ? `${name} ${what}` : name))).toEqual([
      ...["said First.", "tool", "working Bash: ls", "tool", "toolResult t", "said Done.", "ended"],
    ]);
    expect(requests.at(-1)).toMatchObject({ kind: "note", value: "msg-1" });
  });

  it("includes the last words even if the transcript does not have them in time", () => {
    expect(take([submit("mine"), stop("Done."), over()]).reports.slice(-2)).toEqual([
      ["said", "Done."],
      ["ended", { kind: "finished", summary: "Done." }],
    ]);
  });
});

describe("the program", () => {
  it("may start another conversation", () => {
    const { reports, requests } = take([hook({ hook_event_name: "SessionStart", session_id: "id-2" })]);
    expect(reports).toEqual([["conversation", "id-2"]]);
    expect(requests).toEqual([{ kind: "follow", conversation: "id-2", isSwitch: true }, { kind: "begun" }]);
  });

  it.each([
    [0, "left"],
    [1, "gone"],
    [null, "gone"],
  ])("that ended with code %j is %s", (code, name) => {
    expect(take([{ kind: "ended", how: "exit", code }]).names).toEqual([name]);
  });

  it("may send an unknown event, and nothing breaks", () => {
    const { reports, state } = take([
      ...[submit("mine"), hook({ hook_event_name: "OfTomorrow" })],
      ...([{ kind: "unknown", text: "{" }, stop("fine")] as const),
    ]);
    expect(named(reports, "unknown")).toMatchObject([{ kind: "hook OfTomorrow" }, { kind: "hook", body: "{" }]);
    expect(state.turnSince).toBeNull();
  });

  it("is ignored after the driver is closed", () => {
    expect(take([{ kind: "close" }, submit("mine"), ask("a"), { kind: "ended", how: "", code: 1 }]).names).toEqual([]);
  });
});
