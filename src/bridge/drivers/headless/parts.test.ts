import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import type { Notes, TurnEnd, Usage } from "../../driver.ts";
import { andThen, type ReportCall, step } from "../../kit/reducer.ts";
import { bringTags, takeTags } from "./aider/aider.ts";
import { composeArguments, composeEnvironment } from "./aider/arguments.ts";
import { openHistory } from "./aider/history.ts";
import { aiderOutput, readModel, readUsage } from "./aider/output.ts";
import { describeTool } from "./cursor/events.ts";
import { cursorOutput, reasonOf } from "./cursor/output.ts";
import { writeRules } from "./cursor/rules.ts";
import { asProse, type Output } from "./dialect.ts";

interface Heard {
  readonly reports: readonly string[];
  readonly used: readonly Usage[];
  readonly end: TurnEnd;
}

const NOW = new Date("2026-01-01T00:00:00Z");

/** The reports for some lines and an exit code. */
function feed<State>(output: Output<State>, lines: readonly string[], code = 0, stderr = ""): Heard {
  const begun = step<State>(output.begin("m1"));
  const whole = lines.reduce((before, line) => andThen(before, (state) => output.line(state, line, NOW)), begun);
  const exit = output.exit(whole.state, { how: `exit code ${code}`, code, stderr }, NOW);
  const calls = [...whole.reports, ...exit];
  const last = calls.at(-1);
  if (last?.[0] !== "ended") throw new Error("the turn did not end");
  return {
    reports: calls.slice(0, -1).map(describeCall),
    used: calls.flatMap((call) => (call[0] === "used" ? [call[1]] : [])),
    end: last[1],
  };
}

function describeCall(call: ReportCall): string {
  switch (call[0]) {
    case "tool":
      return `tool ${call[1].name}: ${call[1].title}`;
    case "toolResult":
      return `result ${call[1]} ${call[2].ok} ${call[2].text}`;
    case "unknown":
      return `unknown ${call[1].kind}`;
    case "limited":
      return `limited until ${call[1]?.toISOString()}: ${call[2]}`;
    case "used":
      return "used";
    default:
      return call.slice(0, 2).join(" ");
  }
}

function someNotes(): Notes {
  const notes = new Map<string, string>();
  return { get: (name) => notes.get(name) ?? null, set: (name, value) => void notes.set(name, value) };
}

describe("a message as prose", () => {
  it.each(["/run rm x", "!rm x", "& go", "  /add x"])("%s is not a command", (text) => {
    expect(asProse(text)).toBe(`The message:\n${text}`);
  });

  it("stays as it is if it cannot be mistaken for a command", () => {
    expect(asProse("Fix a/b!\n/x")).toBe("Fix a/b!\n/x");
  });
});

describe("Aider's usage line", () => {
  it.each([
    ["Tokens: 950 sent, 50 received.", [950, 0, 50, 0]],
    ["Tokens: 2.4k sent, 16 received. Cost: $0.0097 message, $0.03 session.", [2400, 0, 16, 0.0097]],
    ["Tokens: 12k sent, 1.5k cache write, 3.4k cache hit, 1.1k received.", [12_000, 3400, 1100, 0]],
    ["Cost: $0.12 message, $0.50 session.", [0, 0, 0, 0.12]],
  ])("%s", (line, [inputTokens, cachedTokens, outputTokens, costUsd]) => {
    expect(readUsage(line, "m")).toEqual({ inputTokens, cachedTokens, outputTokens, costUsd, model: "m" });
  });

  it.each(["Tokens: none", "I spent tokens: 5 sent", "The Cost: $5"])("is not %s", (line) => {
    expect(readUsage(line, null)).toBeNull();
  });

  it("comes with the model named before", () => {
    expect(readModel("Main model: openai/gpt-5 with diff edit format, infinite output")).toBe("openai/gpt-5");
    expect(readModel("Weak model: gpt-5-mini")).toBeNull();
  });
});

describe("a turn of Aider", () => {
  const BANNER = [
    "Aider v0.86.2",
    "Main model: m with diff edit format",
    "Git repo: .git with 1 files",
    "Repo-map: disabled",
  ];
  const TOKENS = "Tokens: 10 sent, 5 received.";

  it("reports its words without the edits, and what it did", () => {
    const answer = ["", "I add a sum.", "", "sum.txt", "```", "a + b", "```", ""];
    const { reports, end } = feed(aiderOutput, [
      ...BANNER,
      ...answer,
      TOKENS,
      "Applied edit to sum.txt",
      "Commit 1a2b3c4 feat: sum",
    ]);
    expect(end).toEqual({ kind: "finished", summary: "I add a sum.\nsum.txt" });
    expect(reports).toContain("said sum.txt\n```\na + b\n```");
    expect(reports).toContain("noted Applied edit to sum.txt");
    expect(reports).not.toContain("said Aider v0.86.2");
  });

  it("failed if the last request did, though the exit code is 0", () => {
    const { end } = feed(aiderOutput, [...BANNER, "litellm.InternalServerError: 500 it broke", "Some hint."]);
    expect(end).toEqual({ kind: "unavailable", reason: "litellm.InternalServerError: 500 it broke" });
  });

  it("continues after a retried request", () => {
    const lines = [...BANNER, "litellm.RateLimitError: slow down", "Retrying in 0.2 seconds...", "Here.", TOKENS];
    const { reports, end } = feed(aiderOutput, lines);
    expect(reports).toContain(
      "limited until 2026-01-01T00:00:00.200Z: litellm.RateLimitError: slow down; the next try is in 0.2 s.",
    );
    expect(end).toEqual({ kind: "finished", summary: expect.stringContaining("Here.") });
  });

  it.each([
    ["litellm.RateLimitError: 429 quota", "limited", /quota/],
    ["litellm.AuthenticationError: bad key", "failed", /is not logged in.*ANTHROPIC_API_KEY/],
  ])("ends with %s as %s", (line, kind, reason) => {
    expect(feed(aiderOutput, [...BANNER, line]).end).toMatchObject({ kind, reason: expect.stringMatching(reason) });
  });

  it("that could not start reports the program's message", () => {
    expect(feed(aiderOutput, [], 2, "usage: aider\naider: error: no such option").end).toMatchObject({
      kind: "failed",
      reason: "Aider failed: aider: error: no such option",
    });
    expect(feed(aiderOutput, ["No LLM model was specified."], 1).end).toMatchObject({
      reason: "Aider failed: No LLM model was specified.",
    });
  });

  it("writes nothing to the workspace that can be put elsewhere, and restores only what exists", () => {
    const files = { message: "/s/m", chat: "/s/c", input: "/s/i" };
    const args = composeArguments(files, { model: "sonnet", isKnown: true });
    expect(args).toEqual(expect.arrayContaining(["--no-gitignore", "--restore-chat-history", "--model", "sonnet"]));
    expect(composeArguments(files, { model: undefined, isKnown: false })).toContain("--no-restore-chat-history");
    expect(composeEnvironment({ BROWSER: "firefox", COLUMNS: "80" })).toMatchObject({
      BROWSER: "firefox",
      COLUMNS: "10000",
    });
  });
});

describe("the history of Aider", () => {
  it("has a prompt once it is appended to the earlier content", () => {
    const path = join(tempDir(), "chat.md");
    const notes = someNotes();
    writeFileSync(path, "#### an earlier one\n");
    openHistory(path, notes).expect("m2");
    const after = openHistory(path, notes);
    expect([after.has("m2"), after.has("m1")]).toEqual([false, null]);
    appendFileSync(path, "\n# aider chat started at now\n\n");
    expect(after.has("m2")).toBe(false);
    appendFileSync(path, "\n#### the next\n");
    expect(after.has("m2")).toBe(true);
  });
});

describe("Aider's repository map", () => {
  it("is in the workspace only during a turn", () => {
    const [workspace, folder] = [tempDir(), tempDir()];
    const name = ".aider.tags.cache.v4";
    mkdirSync(join(workspace, name));
    writeFileSync(join(workspace, name, "db"), "map");
    takeTags(workspace, folder);
    expect(existsSync(join(workspace, name))).toBe(false);
    bringTags(folder, workspace);
    expect(readFileSync(join(workspace, name, "db"), "utf8")).toBe("map");
  });
});

describe("a turn of Cursor", () => {
  const RESULT = { type: "result", subtype: "success", is_error: false, result: "All done." };
  const asLines = (...events: readonly object[]): readonly string[] => events.map((event) => JSON.stringify(event));

  it("reports its words, its tools and its result", () => {
    const read = { args: { path: "a.txt" } };
    const result = { success: { content: "hello" } };
    const lines = asLines(
      { type: "system", subtype: "init", model: "Auto" },
      { type: "user", message: {} },
      { type: "thinking", subtype: "delta", text: "hm" },
      { type: "assistant", message: { content: [{ type: "text", text: "I look." }] } },
      { type: "tool_call", subtype: "started", call_id: "1", tool_call: { readToolCall: read } },
      { type: "tool_call", subtype: "completed", call_id: "1", tool_call: { readToolCall: { ...read, result } } },
      { ...RESULT, usage: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 2, cacheWriteTokens: 1 } },
    );
    const { reports, used, end } = feed(cursorOutput, ["starting", ...lines]);
    expect(reports).toEqual([
      "accepted m1",
      "said I look.",
      "tool read: a.txt",
      "working read: a.txt",
      "result 1 true hello",
      "used",
    ]);
    expect(used).toEqual([{ inputTokens: 10, cachedTokens: 2, outputTokens: 3, costUsd: 0, model: "Auto" }]);
    expect(end).toEqual({ kind: "finished", summary: "All done." });
  });

  it("failed if it has no result, an error result, or a failing exit code", () => {
    expect(feed(cursorOutput, []).end).toEqual({ kind: "failed", reason: "Cursor failed: exit code 0" });
    const isError = asLines({ ...RESULT, is_error: true, result: "it broke" });
    expect(feed(cursorOutput, isError).end).toEqual({ kind: "failed", reason: "Cursor failed: it broke" });
    expect(feed(cursorOutput, asLines(RESULT), 1, "Error: lost").end).toMatchObject({
      reason: "Cursor failed: lost",
    });
  });

  it("that hit the plan's limit waits for the end of the day that Cursor names", () => {
    const stderr = "You've hit your usage limit. It will reset when your monthly cycle ends on 12/31/2026.";
    expect(feed(cursorOutput, [], 1, stderr).end).toMatchObject({
      kind: "limited",
      until: new Date("2027-01-01T00:00:00Z"),
    });
  });

  it("finds the reason among events that are printed twice", () => {
    const stderr = '{"type":"system"}\nError: [unavailable] try later\n{"type":"user"}';
    expect(reasonOf({ how: "exit code 1", code: 1, stderr }, [])).toBe("[unavailable] try later");
  });

  it.each([
    [{ shellToolCall: { args: { command: "npm test" } } }, "shell: npm test"],
    [{ function: { name: "search", arguments: '{"q":1}' } }, 'search: {"q":1}'],
    [{ oddToolCall: null }, "odd: {}"],
    [{}, "tool: {}"],
  ])("reports %o", (call, text) => {
    expect(describeTool(call)).toBe(text);
  });
});

describe("an unknown Cursor event", () => {
  it("is reported, and the turn continues", () => {
    const result = { type: "result", is_error: false, result: "done" };
    const lines = [{ type: "mood" }, { type: "thinking" }, result].map((event) => JSON.stringify(event));
    const { reports, end } = feed(cursorOutput, lines);
    expect(reports).toContain("unknown mood");
    expect(reports).not.toContain("unknown thinking");
    expect(end).toEqual({ kind: "finished", summary: "done" });
  });
});

describe("rules for one launch of Cursor", () => {
  it("are added to the user's, in a file of the session", () => {
    const [home, folder] = [tempDir(), tempDir()];
    mkdirSync(join(home, ".cursor"));
    const own = { version: 1, model: { id: "x" }, permissions: { allow: ["Shell(ls)"], deny: ["Shell(rm)"] } };
    writeFileSync(join(home, ".cursor/cli-config.json"), JSON.stringify(own));
    const path = join(writeRules({ env: { HOME: home }, folder }, ["Write(.env)"]), "cli-config.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      model: { id: "x" },
      permissions: { allow: ["Shell(ls)"], deny: ["Shell(rm)", "Write(.env)"] },
    });
  });

  it("stand alone if the user has none", () => {
    const folder = tempDir();
    const path = join(writeRules({ env: { XDG_CONFIG_HOME: folder }, folder }, ["Shell(rm)"]), "cli-config.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ version: 1, permissions: { deny: ["Shell(rm)"] } });
  });
});
