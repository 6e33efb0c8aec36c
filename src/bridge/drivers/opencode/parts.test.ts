import { describe, expect, it } from "vitest";
import { composeEnvironment } from "./environment.ts";
import { type Failure, type Message, type PermissionRequest, parseEvent } from "./messages.ts";
import { decide, type Rules, readOwnRules } from "./rules.ts";
import { toTool } from "./tools.ts";
import { readEnd, readWait } from "./turn-end.ts";

const ASK: Rules = { permissions: "ask", allow: [], ask: [], deny: [] };
const place = { cwd: "/work", home: "/home/me" };

function aRequest(fields: Partial<PermissionRequest>): PermissionRequest {
  return { id: "per_1", sessionID: "ses_1", permission: "bash", patterns: [], always: [], metadata: {}, ...fields };
}

describe("the environment of a launch", () => {
  const configOf = (rules: Parameters<typeof composeEnvironment>[0], own?: string): unknown => {
    const env = composeEnvironment(rules, own === undefined ? {} : { OPENCODE_CONFIG_CONTENT: own }, "pw");
    return env["OPENCODE_CONFIG_CONTENT"] === undefined ? null : JSON.parse(env["OPENCODE_CONFIG_CONTENT"]);
  };
  const ask = { "**": "ask" };

  it("makes the program ask, unless everything is allowed", () => {
    expect(configOf(ASK)).toEqual({ permission: { edit: ask, bash: ask, "webfetch*": ask } });
    expect(configOf({ ...ASK, permissions: "all" })).toBeNull();
    const denied = configOf({ ...ASK, permissions: "all", deny: ["./secrets/**"] });
    expect(denied).toMatchObject({ permission: { bash: ask, read: ask } });
  });

  it("is appended to the user's value of the same variable", () => {
    const own = { theme: "x", permission: { bash: "deny", edit: { "*.md": "allow" } } };
    const config = configOf(ASK, JSON.stringify(own)) as { permission: Record<string, object> };
    expect(config).toMatchObject({ theme: "x" });
    expect(Object.entries(config.permission["bash"] ?? {})).toEqual([
      ["*", "deny"],
      ["**", "ask"],
    ]);
    expect(Object.keys(config.permission["edit"] ?? {})).toEqual(["*.md", "**"]);
    expect(configOf(ASK, '{"permission":"deny"}')).toMatchObject({ permission: { "*": "deny", bash: ask } });
    expect(() => configOf(ASK, "{")).toThrow(/not JSON/);
  });

  it("contains the password, and keeps the program from updating itself", () => {
    expect(composeEnvironment({ ...ASK, permissions: "all" }, { HOME: "/h" }, "pw")).toEqual({
      HOME: "/h",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_SERVER_USERNAME: "opencode",
      OPENCODE_SERVER_PASSWORD: "pw",
    });
  });
});

describe("a question", () => {
  const bash = { "*": "allow", "git *": "allow", "git push *": "deny", "**": "ask" };
  const own = readOwnRules({ bash, "webfetch*": { "**": "ask" } });
  const verdict = (command: string, rules: Rules = ASK): string => {
    const patterns = command.split(" && ");
    const tool = toTool(aRequest({ patterns, metadata: { command } }), {});
    return decide({ settings: rules, own, place }, { permission: "bash", patterns, tool });
  };

  it.each([
    ["git status", "allow"],
    ["git", "allow"],
    ["git push origin", "deny"],
    ["git status && git push", "deny"],
    ["git status && npm test", "ask"],
    ["npm test", "ask"],
  ])("about %s is answered by the user's own entries with %s", (command, wanted) => {
    expect(verdict(command)).toBe(wanted);
  });

  it("is answered first by the policy if that forbids or allows it", () => {
    expect(verdict("git status", { ...ASK, deny: ["git status"] })).toBe("deny");
    expect(verdict("npm test", { ...ASK, allow: ["npm test"] })).toBe("allow");
    expect(verdict("git push", { ...ASK, permissions: "all" })).toBe("deny");
  });

  it("about reading is asked only for denied paths and secrets", () => {
    const rules = { ...ASK, deny: ["./secrets/**"] };
    const read = (path: string): string => {
      const tool = toTool(aRequest({ permission: "read", patterns: [path] }), { filePath: `/work/${path}` });
      return decide({ settings: rules, own: [], place }, { permission: "read", patterns: [path], tool });
    };
    expect(["secrets/key", "a.ts", ".env", "b/.env.local"].map(read)).toEqual(["deny", "allow", "ask", "ask"]);
  });

  it("shows the diff of a change, or the input of any other tool", () => {
    const edit = (metadata: PermissionRequest["metadata"], input: object): unknown =>
      toTool(aRequest({ permission: "edit", patterns: ["a.ts"], metadata }), { ...input }).detail;
    expect(edit({ filepath: "/work/a.ts", diff: "@@\n-a\n+b" }, {})).toEqual({ format: "diff", text: "@@\n-a\n+b" });
    expect(edit({ filepath: "/work/a.ts" }, { content: "one\ntwo" })).toEqual({ format: "text", text: "one\ntwo" });
    const other = toTool(aRequest({ permission: "mcp_x", patterns: ["*"] }), { query: "a" });
    expect(other.detail).toEqual({ format: "text", text: '{\n  "query": "a"\n}' });
  });

  it("names the changed files, one or several", () => {
    const paths = (metadata: PermissionRequest["metadata"]): readonly string[] =>
      toTool(aRequest({ permission: "edit", patterns: ["a.ts"], metadata }), {}).paths;
    expect(paths({ filepath: "/work/a.ts" })).toEqual(["/work/a.ts"]);
    expect(paths({ filepath: "a.ts, b.ts", files: [{ filePath: "/work/a.ts" }, { filePath: "/work/b.ts" }] })).toEqual([
      "/work/a.ts",
      "/work/b.ts",
    ]);
    expect(paths({ filepath: "a.ts, b.ts" })).toEqual(["a.ts"]);
    expect(paths({ files: [{ filePath: "/work/a.ts", movePath: "/etc/b.ts" }] })).toEqual(["/work/a.ts", "/etc/b.ts"]);
    expect(paths({ files: [null, 3] })).toEqual(["a.ts"]);
  });
});

describe("the end of a turn", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const known = { lastWords: "done", isInterrupted: false, failure: null };
  const failure = (name: string, statusCode: number | null, message = "words"): Failure => ({
    name,
    data: { message, statusCode, responseHeaders: { "retry-after": "60" } },
  });
  const answer = (more: Partial<Message["info"]>): Message["info"] => ({
    id: "msg_2",
    role: "assistant",
    parentID: "msg_1",
    finish: "stop",
    time: { completed: 1 },
    error: null,
    ...more,
  });
  const question: Message["info"] = { ...answer({}), role: "user", finish: null, time: { completed: null } };

  it("comes from the last message, once that is complete", () => {
    expect(readEnd(answer({}), known, now)).toEqual({ kind: "finished", summary: "done" });
    expect(readEnd(answer({ time: { completed: null } }), known, now)).toBeNull();
    expect(readEnd(answer({ finish: "length" }), known, now)).toMatchObject({ kind: "failed" });
    expect(readEnd(answer({ finish: null }), known, now)).toEqual({ kind: "interrupted" });
    expect(readEnd(answer({ error: failure("MessageAbortedError", null) }), known, now)).toEqual({
      kind: "interrupted",
    });
  });

  it("without an answer is a stop or a failure, or none at all", () => {
    expect(readEnd(question, known, now)).toBeNull();
    expect(readEnd(question, { ...known, isInterrupted: true }, now)).toEqual({ kind: "interrupted" });
    const unknown = failure("UnknownError", null, "Model not found: local/none.");
    expect(readEnd(question, { ...known, failure: unknown }, now)).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("`agentConfig.model`"),
    });
  });

  it.each([
    [401, { kind: "failed", reason: expect.stringContaining("opencode auth login") }],
    [429, { kind: "limited", until: new Date("2026-01-01T00:01:00Z"), reason: "words (429)" }],
    [500, { kind: "unavailable", reason: "words (500)" }],
  ])("by %s is classified", (status, end) => {
    expect(readEnd(answer({ error: failure("APIError", status) }), known, now)).toEqual(end);
  });

  it.each([
    ["scripted 429", true],
    ["Too Many Requests", true],
    ["Cannot connect to API", false],
  ])("is not reached while it waits: %s", (message, isLimit) => {
    const wait = readWait({ type: "retry", message, next: now.getTime() });
    expect(wait).toEqual({ isLimit, until: now, note: `${message}; it tries again.` });
  });
});

describe("an event", () => {
  it.each([
    [
      { type: "session.mood", properties: { sessionID: "s" } },
      { kind: "session.mood", sessionID: "s" },
    ],
    [
      { type: "permission.asked", properties: { sessionID: "s" } },
      { kind: "permission.asked", sessionID: "s" },
    ],
    [{ type: "session.updated", properties: { sessionID: "s" } }, null],
    [{ type: "server.heartbeat", properties: {} }, null],
    ["words", null],
  ])("%j is parsed as %j", (value, expected) => {
    const read = parseEvent(value);
    if (expected === null) expect(read).toBeNull();
    else expect(read).toEqual({ ...expected, body: value });
  });
});
