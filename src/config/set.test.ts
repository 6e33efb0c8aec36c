import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFull } from "../testing/full.ts";
import { getFrom } from "./dotted-path.ts";
import { parseConfig } from "./parse.ts";
import { setInText } from "./set.ts";

const FILE = `# My machine
port:   3000     # the dashboard

defaults:
    runtime: tmux   # or process
    notifiers:   [desktop,  slack]


projects:
    my-app:
        # where it is
        path: "~/my-app"
        env: {A: '1',   B: two}   # keep
        agentRules: |
            First rule.
            Second rule.

    next.js:
        path: ~/next
reactions:
  ci-failed:   {auto: true,  retries: 2} # CI
  session.stopped:
      action: notify
# the end
`;

function get(text: string, path: string): unknown {
  return getFrom(parseConfig(text, "f.yaml", { env: {} }).written, path);
}

/** Lines of the old file that are missing from the new one. */
function lostLines(before: string, after: string): readonly string[] {
  const kept = after.split("\n");
  return before.split("\n").filter((line) => !kept.includes(line));
}

describe("setting a value", () => {
  test.each([
    ["port", "3001", 3001, ["port:   3000     # the dashboard"]],
    ["defaults.runtime", "process", "process", ["    runtime: tmux   # or process"]],
    ["defaults.agent", "codex", "codex", []],
    ["defaults.notifiers", "[desktop]", ["desktop"], ["    notifiers:   [desktop,  slack]"]],
    ["defaults.notifiers[1]", "discord", "discord", ["    notifiers:   [desktop,  slack]"]],
    ["projects.my-app.path", "~/else where", "~/else where", ['        path: "~/my-app"']],
    ["projects.my-app.sessionPrefix", "42", "42", []],
    ["projects.my-app.env.A", "x, y", "x, y", ["        env: {A: '1',   B: two}   # keep"]],
    ["projects.my-app.env.C", "3", 3, ["        env: {A: '1',   B: two}   # keep"]],
    ["projects.my-app.agentConfig.protocol", "oneshot", "oneshot", []],
    ["projects.next.js.path", "~/n", "~/n", ["        path: ~/next"]],
    ['projects."next.js".defaultBranch', "canary", "canary", []],
    ["reactions.ci-failed.retries", "5", 5, ["  ci-failed:   {auto: true,  retries: 2} # CI"]],
    [
      "reactions.ci-failed.message",
      "CI failed: {{errors}} #1",
      "CI failed: {{errors}} #1",
      ["  ci-failed:   {auto: true,  retries: 2} # CI"],
    ],
    ["reactions.session.stopped.priority", "info", "info", []],
    ["reactions.agent.errored.action", "notify", "notify", []],
    ["reactions.agent-stuck.threshold", "20m", "20m", []],
    ["limits.parallelAgents", "2", 2, []],
    ["power.preventIdleSleep", "false", false, []],
  ])("%s to %s changes no other line", (path, value, expected, touched) => {
    const after = setInText(FILE, path, value);
    expect(get(after, path)).toEqual(expected);
    expect(lostLines(FILE, after)).toEqual(touched);
  });

  test("keeps the comment after the value", () => {
    expect(setInText(FILE, "port", "3001")).toContain("port:   3001     # the dashboard");
    expect(setInText(FILE, "projects.my-app.env.B", "3")).toContain("        env: {A: '1',   B: 3}   # keep");
  });

  test("replaces a multi-line string", () => {
    const after = setInText(FILE, "projects.my-app.agentRules", "One rule.");
    expect(get(after, "projects.my-app.agentRules")).toBe("One rule.");
    expect(lostLines(FILE, after)).toEqual([
      "        agentRules: |",
      "            First rule.",
      "            Second rule.",
    ]);
  });

  test.each([
    ["an empty file", "", "port: 1\n"],
    ["a file of comments", "# hello\n", "# hello\nport: 1\n"],
    ["a file without a last line break", "host: h", "host: h\nport: 1\n"],
    ["a key without a value", "port: # asked for\n", "port: 1 # asked for\n"],
    ["Windows line endings", "host: h\r\n", "host: h\r\nport: 1\r\n"],
  ])("works in %s", (_, before, after) => {
    expect(setInText(before, "port", "1")).toBe(after);
  });

  test("fills an empty map", () => {
    expect(setInText("defaults: # none yet\nport: 1\n", "defaults.runtime", "tmux")).toBe(
      "defaults: # none yet\n  runtime: tmux\nport: 1\n",
    );
  });

  test("replaces an object with a name", () => {
    const after = setInText("# top\ndefaults:\n  agent:\n    plugin: codex # c\nport: 1\n", "defaults.agent", "aider");
    expect(get(after, "defaults.agent")).toBe("aider");
    expect(after).toContain("# top");
  });

  test.each([
    ["prot", "1", 'did you mean "port"?'],
    ["port", "abc", "expected a number"],
    ["defaults.agent", "claude-cod", 'did you mean "claude-code"?'],
    ["projects.other.name", "Other", "has no path"],
    ["reactions.ci-failed.retry", "2", 'did you mean "retries"?'],
  ])("rejects %s %s as loading would", (path, value, expected) => {
    expect(() => setInText(FILE, path, value)).toThrow(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining(expected) }),
    );
  });

  test("refuses to change a value that an alias shares", () => {
    const text = "projects:\n  a: &a { path: x, sessionPrefix: p }\n  b:\n    <<: *a\n    sessionPrefix: q\n";
    expect(() => setInText(text, "projects.a.path", "z")).toThrow(expect.objectContaining({ code: "conflict" }));
  });

  test.each(["", ".", "a..b", "a.", '"a', "a[x]"])("rejects the path %j", (path) => {
    expect(() => setInText(FILE, path, "1")).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

describe("any value that is set", () => {
  const TEXT_PATHS = [
    "host",
    "projects.my-app.name",
    "projects.my-app.agentRules",
    "projects.my-app.repo",
    "reactions.ci-failed.message",
    "reactions.session.stopped.message",
    "reactions.agent-idle.label",
  ];

  test("can be read back, and no other line changes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEXT_PATHS), fc.string({ minLength: 1 }), (path, typed) => {
        fc.pre(!/^\s*["']/.test(typed) && !typed.includes("${"));
        const after = setInText(FILE, path, typed);
        expect(get(after, path)).toBe(typed);
        const flow = path.startsWith("reactions.ci-failed") ? 1 : 0;
        expect(lostLines(FILE, after).length).toBeLessThanOrEqual(path.endsWith("agentRules") ? 3 : flow);
      }),
      isFull ? { numRuns: 1000 } : { numRuns: 100, seed: 1 },
    );
  });
});

describe("getting a value", () => {
  test.each([
    ["a.b", { a: { b: 1 } }, 1],
    ["a.b.c", { "a.b": { c: 1 } }, 1],
    ["a.b.c", { a: { x: 1 }, "a.b": { c: 2 } }, 2],
    ["a[1]", { a: [1, 2] }, 2],
    ["a.1", { a: [1, 2] }, 2],
    ['"a.b"', { "a.b": false }, false],
    ["a.b", { a: null }, undefined],
    ["toString", {}, undefined],
  ])("%s of %j is %j", (path, tree, expected) => {
    expect(getFrom(tree, path)).toBe(expected);
  });
});
