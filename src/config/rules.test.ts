import { describe, expect, test } from "vitest";
import { formatPath } from "./problem.ts";
import { checkRules } from "./rules.ts";
import type { WrittenConfig } from "./schema.ts";

function findings(written: WrittenConfig): readonly string[] {
  return checkRules(written).map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

const EITHER = "needs either `run` or `module`";
const command = { agent: "command", agentConfig: { command: ["run"] } };

describe("rules across keys", () => {
  test.each<[string, WrittenConfig, string]>([
    [
      "two projects with one prefix",
      { projects: { a: { path: "x", sessionPrefix: "p" }, b: { path: "y", sessionPrefix: "P" } } },
      'projects.b.sessionPrefix: "P" is the prefix of project a already',
    ],
    [
      "a prefix that is another project's id",
      { projects: { a: { path: "x" }, b: { path: "y", sessionPrefix: "a" } } },
      'projects.b.sessionPrefix: "a" is the prefix of project a already',
    ],
    ["a project without a path", { projects: { a: {} } }, "projects.a: has no path"],
    [
      "the agent command without a command",
      { projects: { a: { path: "x", agent: "command" } } },
      "projects.a: uses the agent `command` and has no agentConfig.command",
    ],
    [
      "the default agent command without a command",
      { defaults: { agent: "command" }, projects: { a: { path: "x" } } },
      "projects.a: uses the agent `command` and has no agentConfig.command",
    ],
    [
      "the structured interface under tmux",
      { projects: { a: { path: "x", runtime: "tmux", agentConfig: { interface: "structured" } } } },
      "projects.a.agentConfig.interface: structured does not go with the runtime tmux",
    ],
    [
      "the terminal interface without tmux",
      { defaults: { runtime: "process" }, projects: { a: { path: "x", agentConfig: { interface: "terminal" } } } },
      "projects.a.agentConfig.interface: terminal does not go with the runtime process",
    ],
    [
      "both spellings of a key",
      { orchestrator: { max_parallel_agents: 1, maxParallelAgents: 2 } },
      "orchestrator.max_parallel_agents: maxParallelAgents is written too",
    ],
    [
      "both names of a reaction",
      { reactions: { "merge-conflict": {}, "merge-conflicts": {} } },
      "reactions.merge-conflicts: is merge-conflict, which is written too",
    ],
    [
      "a condition with a slip",
      { reactions: { "label-added": { condition: "labl == 'x'" } } },
      "reactions.label-added.condition: Unknown variable: labl; known here: session.{id, title, branch, agent, turns}, pr.{number, title, branch, base, labels}, checks.{passed, failed, pending}, review.{approvals, changesRequested, openThreads}, task.{id, title}, event.{key, text, subject, messages}, label",
    ],
    [
      "a message with an unknown variable",
      { projects: { a: { path: "x", reactions: { "ci-failure": { message: "{{errors}} {{eror}}" } } } } },
      "projects.a.reactions.ci-failure.message: unknown variable {{eror}}",
    ],
    ["two workers with one id", { agents: [{ id: "a" }, { id: "a" }] }, 'agents[1].id: "a" is the id of another agent'],
    [
      "a time zone that does not exist",
      { policies: { quietHours: "22:00-07:00 Mars/Base" } },
      'policies.quietHours: unknown time zone "Mars/Base"',
    ],
    [
      "a merge rule with a slip",
      { projects: { a: { path: "x", policies: { rules: [{ unless: "pr.number", say: "no" }] } } } },
      "projects.a.policies.rules[0].unless: must be true or false, and is of type int",
    ],
    [
      "a link that leads out",
      { projects: { a: { path: "x", symlinks: ["ok", "../other"] } } },
      'projects.a.symlinks[1]: "../other" leads out of the project',
    ],
    ["a hook that does nothing", { hooks: { "before-merge": { timeout: "5s" } } }, `hooks.before-merge: ${EITHER}`],
    [
      "a hook that is a command and code",
      { hooks: { "after-merge": ["a", { run: "b", module: "./c.mjs" }] } },
      `hooks.after-merge[1]: ${EITHER}`,
    ],
    [
      "a file of hooks without its path",
      { hooks: { "before-merge": { module: "hooks.mjs" } } },
      'hooks.before-merge.module: "hooks.mjs" is read as the name of an npm package',
    ],
    ["a plugin from nowhere", { plugins: [{ name: "x" }] }, "plugins[0]: needs either `package` or `path`"],
    [
      "an unknown notifier",
      { notificationRouting: { info: ["pager"] } },
      'notificationRouting.info[0]: unknown notifier "pager"',
    ],
  ])("refuse %s", (_, written, expected) => {
    expect(findings(written)).toEqual([expected]);
  });

  test.each<[string, WrittenConfig]>([
    ["the agent command with a command", { projects: { a: { path: "x", ...command } } }],
    [
      "a command in the object form of the default agent",
      { defaults: { agent: { plugin: "command", command: ["run"] } }, projects: { a: { path: "x" } } },
    ],
    [
      "the object form of the same agent over the default one",
      {
        defaults: { agent: { plugin: "command", command: ["run"] } },
        projects: { a: { path: "x", agent: { plugin: "command", protocol: "oneshot" } } },
      },
    ],
    [
      "the terminal interface under tmux",
      { projects: { a: { path: "x", runtime: "tmux", agentConfig: { interface: "terminal" } } } },
    ],
    [
      "an interface where the runtime is not written",
      { projects: { a: { path: "x", agentConfig: { interface: "terminal" } } } },
    ],
    [
      "settings that an external agent may accept",
      { projects: { a: { path: "x", agent: "codex", agentConfig: { comand: 1 } } } },
    ],
    [
      "files and packages as hooks",
      {
        hooks: {
          "before-merge": ["./a.mjs", "a", "hooks.js", "hooks/a.mjs", "@a/b.mjs"].map((module) => ({ module })),
        },
      },
    ],
    [
      "any plugin name next to a plugin whose name only its code knows",
      { plugins: ["pkg"], defaults: { agent: "theirs" } },
    ],
  ])("allow %s", (_, written) => {
    expect(findings(written)).toEqual([]);
  });
});
