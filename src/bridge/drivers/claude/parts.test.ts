import { describe, expect, it } from "vitest";
import { composeArguments, composeEnvironment, composeTerminalArguments, takesBrief, toRules } from "./arguments.ts";
import { parseLine, type Result } from "./events.ts";
import { inquire, respond } from "./permission.ts";
import { readWindows } from "./rate-windows.ts";
import { announce, isReceived } from "./receipt.ts";
import { parseSettings } from "./settings.ts";
import { endOf, parseEntries, recallFrom, usageAfter } from "./transcript.ts";
import { readEnd } from "./turn-end.ts";

describe("the arguments of Claude Code", () => {
  it.each([
    ["ask", "default", null],
    // Its mode acceptEdits also runs commands such as rm in the workspace.
    ["edits", "default", { allow: ["Edit(./**)"], ask: [], deny: [] }],
    ["all", "bypassPermissions", null],
  ] as const)("set the mode for permissions: %s", (permissions, mode, rules) => {
    const args = composeArguments(parseSettings({ permissions }), { conversation: "c", isKnown: false });
    expect(args[args.indexOf("--permission-mode") + 1]).toBe(mode);
    expect(args.slice(-2)).toEqual(["--session-id", "c"]);
    const settings = args.includes("--settings") ? args[args.indexOf("--settings") + 1] : undefined;
    expect(settings === undefined ? null : JSON.parse(settings).permissions).toEqual(rules);
  });

  it("resume a saved conversation, and pass the policy for this launch", () => {
    const settings = parseSettings({ model: "opus", allow: ["npm test"], ask: ["git push *"], deny: ["/etc/**"] });
    const args = composeArguments(settings, { conversation: "c", isKnown: true });
    expect(args.slice(-2)).toEqual(["--resume", "c"]);
    expect(args[args.indexOf("--model") + 1]).toBe("opus");
    expect(JSON.parse(args[args.indexOf("--settings") + 1] ?? "")).toEqual({
      permissions: { allow: ["Bash(npm test)"], ask: ["Bash(git push *)"], deny: ["Read(//etc/**)", "Edit(//etc/**)"] },
    });
  });

  it.each([
    [["claude"], ["--append-system-prompt-file", "/b.md"]],
    // The program accepts one addition, which is the user's.
    [["claude", "--append-system-prompt", "be brief"], []],
    [["claude", "--append-system-prompt-file=/own.md"], []],
  ])("of %j pass the brief as %j", (command, expected) => {
    const settings = parseSettings({ command });
    const start = { conversation: "c", isKnown: false, briefFile: "/b.md" };
    const found = composeArguments(settings, start).filter((argument) => /append-system|b\.md/.test(argument));
    expect(found).toEqual(expected);
    expect(composeTerminalArguments(settings, start, "/s.json")).toEqual(expect.arrayContaining(expected));
    expect(takesBrief(settings)).toBe(expected.length > 0);
  });

  it.each([
    ["git *", ["Bash(git *)"]],
    ["./src/**", ["Read(./src/**)", "Edit(./src/**)"]],
    ["~/x", ["Read(~/x)", "Edit(~/x)"]],
    ["WebFetch", ["WebFetch"]],
    ["Bash(make *)", ["Bash(make *)"]],
    ["mcp__server__tool", ["mcp__server__tool"]],
  ])("translate %s into the program's own rules", (entry, rules) => {
    expect(toRules(entry)).toEqual(rules);
  });

  it("keep the user's settings, and drop variables of another session", () => {
    const env = composeEnvironment({ DISABLE_AUTOUPDATER: "0", CLAUDECODE: "1", PATH: "/bin" });
    expect(env).toMatchObject({
      DISABLE_AUTOUPDATER: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      PATH: "/bin",
    });
    expect(env).not.toHaveProperty("CLAUDECODE");
  });

  it("reject invalid settings", () => {
    expect(() => parseSettings({ permissions: "some" })).toThrow(/permissions/);
  });
});

const call = (id: string, text: string | null, stop_reason: string): object => ({
  type: "assistant",
  message: {
    id,
    model: "m",
    stop_reason,
    content: text === null ? [{ type: "tool_use" }] : [{ type: "text", text }],
    usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 3 },
  },
});
const prompt = (uuid: string): object => ({ type: "user", uuid, message: { content: [{ type: "text", text: "t" }] } });
const result = { type: "user", uuid: "r", message: { content: [{ type: "tool_result" }] } };
const absorbed = { type: "attachment", attachment: { type: "queued_command", source_uuid: "p2" } };

function transcript(...entries: readonly object[]): ReturnType<typeof parseEntries> {
  return parseEntries(`${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n{"type":"assis`);
}

describe("a transcript", () => {
  it.each([
    ["nothing of it", transcript(prompt("p0"), call("a", "x", "end_turn")), { kind: "absent" }],
    ["only the prompt", transcript(prompt("p1")), { kind: "taken", answer: null }],
    ["a running tool", transcript(prompt("p1"), call("a", null, "tool_use"), result), { kind: "taken", answer: null }],
    [
      "the last words",
      transcript(prompt("p1"), call("a", null, "tool_use"), result, call("b", "done", "end_turn"), prompt("p3")),
      { kind: "taken", answer: "done" },
    ],
    [
      "an end that only the next turn has",
      transcript(prompt("p1"), call("a", null, "tool_use"), prompt("p3"), call("b", "other", "end_turn")),
      { kind: "taken", answer: null },
    ],
  ])("with %s shows what became of a prompt", (_, entries, expected) => {
    expect(recallFrom(entries, "p1")).toEqual(expected);
  });

  it("shows what became of a prompt although a block's text is not one", () => {
    const content = [
      { type: "text", text: { toString: "" } },
      { type: "text", text: "done" },
    ];
    const entries = transcript(prompt("p1"), { type: "assistant", message: { stop_reason: "end_turn", content } });
    expect(recallFrom(entries, "p1")).toEqual({ kind: "taken", answer: "done" });
  });

  it("recognizes a prompt that was read during a turn", () => {
    expect(recallFrom(transcript(prompt("p1"), absorbed), "p2")).toEqual({ kind: "taken", answer: null });
  });

  it("counts each model call once, however many entries it has, and none before the last reported one", () => {
    const entries = transcript(call("a", null, "tool_use"), call("b", "x", "tool_use"), call("b", null, "tool_use"));
    expect(usageAfter(entries, null)).toEqual({
      usages: [{ inputTokens: 24, cachedTokens: 4, outputTokens: 6, costUsd: 0, model: "m" }],
      last: "b",
    });
    expect(usageAfter(entries, "a").usages).toMatchObject([{ inputTokens: 12, outputTokens: 3 }]);
    expect(usageAfter(entries, "b")).toEqual({ usages: [], last: "b" });
  });

  it("without the last reported model call counts none again, and the next ones from its end", () => {
    const entries = transcript(call("a", null, "tool_use"), call("b", "x", "end_turn"));
    expect(usageAfter(entries, "gone")).toEqual({ usages: [], last: "b" });
    expect(usageAfter(transcript(prompt("p1")), "gone")).toEqual({ usages: [], last: "gone" });
    const longer = [...entries, ...transcript(call("c", "y", "end_turn"))];
    expect(usageAfter(longer, "b").usages).toMatchObject([{ inputTokens: 12, outputTokens: 3 }]);
  });

  it("counts from now on if a person switches to it", () => {
    const old = transcript(call("a", "x", "end_turn"));
    const later = transcript(call("b", "y", "end_turn"));
    const one = [{ inputTokens: 12, outputTokens: 3 }];
    expect(usageAfter([...old, ...later], endOf(old, "z")).usages).toMatchObject(one);
    // One that is still empty counts as a whole, unless it becomes a copy of what was reported.
    const empty = endOf([], endOf([], "a"));
    expect(usageAfter(later, empty)).toMatchObject({ usages: one, last: "b" });
    expect(usageAfter([...old, ...later], empty)).toMatchObject({ usages: one, last: "b" });
    expect(usageAfter([...old, ...later], endOf([], null)).usages).toMatchObject([{ inputTokens: 24 }]);
    expect(usageAfter([], empty)).toEqual({ usages: [], last: empty });
  });
});

function aResult(fields: object): Result {
  const line = parseLine(JSON.stringify({ type: "result", subtype: "success", ...fields }));
  return (line.kind === "event" ? line.event : null) as Result;
}

describe("the end of a turn", () => {
  const none = { isInterrupted: false, resetsAt: null };

  it.each([
    [{ result: "fine" }, { kind: "finished", summary: "fine" }],
    [
      { is_error: true, api_error_status: 500, result: "broken" },
      { kind: "unavailable", reason: "broken" },
    ],
    [
      { is_error: true, result: "Claude AI usage limit reached|1700000000" },
      { kind: "limited", until: new Date(17e11) },
    ],
    [{ is_error: true, result: "Not logged in · Please run /login" }, { reason: expect.stringContaining("Log in") }],
    [
      { subtype: "error_max_turns", is_error: true },
      { kind: "failed", reason: "Claude Code failed: error_max_turns" },
    ],
  ])("%j is parsed", (fields, expected) => {
    expect(readEnd(aResult(fields), none)).toMatchObject(expected);
  });

  it("is an interruption only if one was requested", () => {
    const cut = aResult({ subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming" });
    expect(readEnd(cut, { ...none, isInterrupted: true })).toEqual({ kind: "interrupted" });
    expect(readEnd(cut, none)).toMatchObject({ kind: "failed" });
  });

  it("has the service's reset time if it was given", () => {
    const resetsAt = new Date(5);
    const limited = aResult({ is_error: true, api_error_status: 429, result: "no" });
    expect(readEnd(limited, { ...none, resetsAt })).toEqual({ kind: "limited", until: resetsAt, reason: "no" });
  });
});

describe("a request for permission", () => {
  const request = {
    subtype: "can_use_tool",
    tool_name: "Write",
    input: { file_path: "/x" },
    tool_use_id: "t",
  } as const;
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const rule = { type: "addRules", destination: "localSettings" };

  it("offers `always` only if the program has a rule for it, and never saves that rule", () => {
    expect(inquire("r", { ...request, permission_suggestions: [] }, "/").questions[0]?.choices).toEqual([
      "allow",
      "deny",
    ]);
    const inquiry = inquire("r", { ...request, permission_suggestions: [mode, rule] }, "/");
    expect(respond(inquiry, { t: "allow always" })).toMatchObject({
      updatedPermissions: [{ type: "addRules", destination: "session" }],
    });
  });

  it("treats any other answer as a no with a reason", () => {
    const inquiry = inquire("r", { ...request, permission_suggestions: [] }, "/");
    expect(respond(inquiry, { t: "use pnpm" })).toEqual({
      behavior: "deny",
      message: "The user denied this: use pnpm",
    });
  });
});

describe("the receipt of a prompt", () => {
  const awaited = { promptId: "m1", uuid: "u1", isMidTurn: false, announcedAt: null };
  const midTurn = { ...awaited, isMidTurn: true };

  it.each([
    ["comes when it is saved, even before the program announces it", awaited, { isSaved: true, now: 1 }, true],
    ["does not come with the announcement alone", announce(awaited, 1), { isSaved: false, now: 100 }, false],
    [
      "comes some time after the announcement if nothing is saved",
      announce(awaited, 1),
      { isSaved: false, now: 4000 },
      true,
    ],
    // The file may be ahead of the end of the running turn.
    ["waits for the announcement during a turn", midTurn, { isSaved: true, now: 1 }, false],
    ["comes during a turn once both are there", announce(midTurn, 1), { isSaved: true, now: 1 }, true],
  ])("%s", (_what, prompt, seen, isThere) => {
    expect(isReceived(prompt, seen)).toBe(isThere);
  });

  it("counts from the first announcement", () => {
    expect(announce(announce(awaited, 1), 9).announcedAt).toBe(1);
  });
});

describe("a line of the program", () => {
  it.each(["", "text", "{}", '{"type":"stream_event"}', "[]"])("%j is irrelevant", (line) => {
    expect(parseLine(line)).toEqual({ kind: "unused" });
  });

  it.each(['{"type":"of_tomorrow","x":1}', '{"type":"user"}'])("%j is unknown", (line) => {
    const body = JSON.parse(line) as { readonly type: string };
    expect(parseLine(line)).toEqual({ kind: "unknown", type: body.type, body });
  });
});

describe("the rate-limit windows of Claude Code", () => {
  it.each([
    [
      {
        status: "allowed",
        unifiedWindows: {
          five_hour: { utilization: 0.31, resetsAt: 7 },
          seven_day: { utilization: 1.2, resetsAt: null },
          overage: { utilization: 0.5, resetsAt: 9 },
        },
      },
      [
        { name: "5 h", usedPercent: 31, resetsAt: 7000 },
        { name: "7 days", usedPercent: 100, resetsAt: null },
      ],
    ],
    [
      { status: "allowed_warning", rateLimitType: "seven_day_opus", utilization: 0.75, resetsAt: 9 },
      [{ name: "7 days, Opus", usedPercent: 75, resetsAt: 9000 }],
    ],
    [{ status: "allowed", resetsAt: 9 }, []],
  ])("%j", (info, windows) => {
    expect(readWindows(info as never)).toEqual(windows);
  });
});
