import { describe, expect, test } from "vitest";
import { AoError } from "../core/errors.ts";
import { parseConfig } from "./parse.ts";

function problemsOf(text: string, env: Record<string, string> = {}): string {
  try {
    parseConfig(text, "f.yaml", { env });
  } catch (error) {
    if (error instanceof AoError && error.code === "config-invalid") return error.message;
    throw error;
  }
  return "";
}

describe("a valid file", () => {
  test.each([
    ["nothing at all", ""],
    ["only a comment", "# nothing yet\n"],
    ["a plugin by name", "defaults: { agent: codex }"],
    ["a plugin by name", "defaults: { agent: { plugin: acp, command: [x], anything: 1 } }"],
    ["a count to escalate after", "reactions: { ci-failed: { escalateAfter: 2 } }"],
    ["a duration to escalate after", "reactions: { ci-failed: { escalateAfter: 90s } }"],
    ["an event type as a reaction", "reactions: { session.stopped: { action: notify } }"],
    ["other spellings of reactions", "reactions: { merge-conflicts: {}, bugbot-comments: {} }"],
    ["a number in env", "projects: { a: { path: x, env: { PORT: 3000 } } }"],
    ["quiet hours in one line", 'policies: { quietHours: "22:00-07:00 Europe/Berlin" }'],
    ["anchors and merge keys", "projects:\n  a: &a { path: x }\n  b: { <<: *a, path: y }\n"],
    ["a notifier named by its entry", "defaults: { notifiers: [team] }\nnotifiers: { team: { plugin: slack } }"],
    ["an external plugin from the same file", "plugins: [{ name: mine, path: ./x }]\ndefaults: { agent: mine }"],
  ])("may contain %s", (_, text) => {
    expect(problemsOf(text)).toBe("");
  });
});

describe("an invalid file", () => {
  test.each([
    ["prot: 1", 'f.yaml:1:1: prot: unknown key (did you mean "port"?)'],
    ["port: abc", 'f.yaml:1:7: port: expected a number, found "abc"'],
    ["port: 70000", "f.yaml:1:7: port: expected at most 65535, found 70000"],
    ["port: 1.5", "f.yaml:1:7: port: expected a whole number, found 1.5"],
    ["host: 3", "f.yaml:1:7: host: expected a text, found 3 (quote it)"],
    ["- 1", "f.yaml:1:1: expected a map of keys, found a list"],
    ["projects: [1]", "f.yaml:1:11: projects: expected a map of keys, found a list"],
    ["projects:\n  a:\n    pth: x", 'f.yaml:3:5: projects.a.pth: unknown key (did you mean "path"?)'],
    [
      "projects:\n  a/b: { path: x }",
      'f.yaml:2:3: projects.a/b: "a/b": expected a project id of letters, digits, dots, - and _',
    ],
    ["reactions:\n  ci-faild: {}", 'f.yaml:2:3: reactions.ci-faild: unknown reaction (did you mean "ci-failed"?)'],
    [
      "reactions:\n  ci-failed: { retry: 2 }",
      'f.yaml:2:16: reactions.ci-failed.retry: unknown key (did you mean "retries"?)',
    ],
    [
      "reactions:\n  ci-failed:\n    escalateAfter: soon",
      'f.yaml:3:20: reactions.ci-failed.escalateAfter: expected a count such as 2, or a duration such as 30m, found "soon"',
    ],
    ["reactions: { x.y: { action: mrege } }", '(did you mean "merge"?)'],
    [
      "defaults: { agent: claude-cod }",
      'f.yaml:1:20: defaults.agent: unknown agent "claude-cod" (did you mean "claude-code"?)',
    ],
    ["defaults: { runtime: { plugn: tmux } }", 'defaults.runtime.plugin: missing (did you mean "plugin" by "plugn"?)'],
    [
      "defaults: { agent: [a] }",
      "expected the name of a plugin, or an object with `plugin` and its settings, found a list",
    ],
    ["orchestrator: { max_paralel_agents: 2 }", 'did you mean "maxParallelAgents"?'],
    ["projects: { a: { path: x, gitIdentity: { name: n } } }", "projects.a.gitIdentity.email: missing"],
    ["projects: { a: { path: x, gitIdentity: me } }", "expected agent, user, or an object with name and email"],
    ["projects: { a: { path: x, agentConfig: { command: run it } } }", "expected a list: [program, argument, ...]"],
    ["projects: { a: { path: x, agentConfig: { sandbox: yes } } }", "expected none, bubblewrap, or an object with"],
    [
      "projects: { a: { path: x, agentConfig: { sandbox: { plugin: bubblewrap, network: [https://github.com] } } } }",
      'agentConfig.sandbox.network[0]: expected all, none, or a list of hosts such as [api.github.com, "*.npmjs.org"]',
    ],
    [
      "projects: { a: { path: x, agentConfig: { sandbox: { plugin: bubblewrap, writable: [x] } } } }",
      "agentConfig.sandbox.writable[0]: expected a path from / or ~/",
    ],
    ["prices: { gpt-5: { input: 1 } }", "prices.gpt-5.output: missing"],
    ["limits: { memory: lots }", "expected an amount of memory such as 512MB or 2GB"],
    ["__proto__: { a: 1 }", "f.yaml:1:1: __proto__: unknown key"],
    ["projects: { a: { path: ~ } }", 'an unquoted ~ is empty too, write "~"'],
  ])("%j is reported: %s", (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });

  test("reports every problem at once, in file order", () => {
    const text = "port: x\ndefaults: { agent: nobody-knows }\nprojects:\n  a: { pth: x }\n  b: {}\n";
    expect(problemsOf(text).split("\n")).toEqual([
      expect.stringMatching(/^f\.yaml:1:7: port: /),
      expect.stringMatching(/^f\.yaml:2:20: defaults\.agent: unknown agent "nobody-knows"/),
      expect.stringMatching(/^f\.yaml:4:8: projects\.a\.pth: unknown key/),
      expect.stringMatching(/^f\.yaml:5:3: projects\.b: has no path/),
    ]);
  });

  test("has its problems as data", () => {
    try {
      parseConfig("prot: 1", "f.yaml", { env: {} });
      expect.unreachable();
    } catch (error) {
      expect((error as AoError).data).toMatchObject({
        file: "f.yaml",
        problems: [{ path: ["prot"], line: 1, column: 1 }],
      });
    }
  });

  test("never shows the value of a key that looks secret", () => {
    const shown = problemsOf("projects: { a: { path: x, env: { API_TOKEN: [hunter2] } } }");
    expect(shown).toContain("API_TOKEN");
    expect(shown).not.toContain("hunter2");
  });

  test("shows a wrong value as written, not its expansion", () => {
    const shown = problemsOf(`port: \${P}`, { P: "hunter2" });
    expect(shown).toContain(`\${P}`);
    expect(shown).not.toContain("hunter2");
  });
});

describe("malformed YAML", () => {
  test.each([
    ["a: [1\nb: 2", /^f\.yaml:2:1: /],
    ["port: 1\nport: 2", /^f\.yaml:2:1: .*unique/],
    ["defaults:\n  runtime: tmux\n agent: x", /^f\.yaml:3:\d+: /],
    ["a: 1\n---\nb: 2", /^f\.yaml:\d+:\d+: /],
    ["host: *nothing", /^f\.yaml:1:\d+: /],
  ])("%j is reported with its place", (text, expected) => {
    expect(problemsOf(text)).toMatch(expected);
  });

  test("rejects an alias inside its own anchor", () => {
    expect(problemsOf("projects: &a\n  x: *a\n")).toBe(
      "f.yaml:2:6: the alias *a cannot be resolved (write the value out instead)",
    );
  });

  test("rejects a file of more than 1 MiB", () => {
    expect(problemsOf(`# ${"x".repeat(1024 * 1024)}`)).toContain("1 MiB");
  });
});

describe("variables of the environment", () => {
  function hostOf(text: string, env: Record<string, string>): unknown {
    return parseConfig(`host: ${text}`, "f.yaml", { env }).written.host;
  }

  test.each([
    [`\${H}`, { H: "a" }, "a"],
    [`x-\${H}-\${H}`, { H: "a" }, "x-a-a"],
    [`\${H:-d}`, {}, "d"],
    [`\${H:-d}`, { H: "" }, "d"],
    [`"\${H:-}x"`, {}, "x"],
    ["$H", { H: "a" }, "$H"],
    [`$\${H}`, { H: "a" }, `\${H}`],
    [`\${H}`, { H: `\${I}`, I: "no" }, `\${I}`],
  ])("%s with %j gives %j", (text, env, expected) => {
    expect(hostOf(text, env as Record<string, string>)).toBe(expected);
  });

  test("a number from the environment is a number where only a number is allowed", () => {
    expect(parseConfig(`port: \${P:-3000}`, "f.yaml", { env: { P: "4000" } }).written.port).toBe(4000);
    expect(parseConfig(`port: \${P:-3000}`, "f.yaml", { env: {} }).written.port).toBe(3000);
    expect(hostOf(`\${H}`, { H: "42" })).toBe("42");
  });

  test("a missing one is listed with its path and is not an error", () => {
    const { written, missing } = parseConfig(`notifiers: { slack: { webhook: "\${HOOK}" } }`, "f.yaml", { env: {} });
    expect(missing).toEqual([{ path: ["notifiers", "slack", "webhook"], name: "HOOK" }]);
    expect(written.notifiers?.["slack"]?.["webhook"]).toBe(`\${HOOK}`);
  });

  test.each([`port: \${P}`, `defaults: { agent: '\${P}' }`])(
    "a missing one is reported where it makes %s invalid",
    (text) => {
      expect(problemsOf(text)).toContain(
        `the environment variable P is not set (set it, or write a default: \${P:-value})`,
      );
    },
  );

  test("keys are not expanded", () => {
    expect(problemsOf(`'\${K}': 1`, { K: "port" })).toContain("unknown key");
  });
});
