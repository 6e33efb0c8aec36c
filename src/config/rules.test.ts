import { describe, expect, test } from "vitest";
import { MODEL_HOSTS } from "../core/network-limit.ts";
import { PLUGIN_NAMES } from "./plugin-names.ts";
import { formatPath } from "./problem.ts";
import { checkRules } from "./rules.ts";
import type { WrittenConfig, WrittenProject } from "./schema.ts";

function findings(written: WrittenConfig): readonly string[] {
  return checkRules(written).map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

const EITHER = "needs either `run` or `module`";

function sandboxed(agent: string, network: "none" | string[]): WrittenProject {
  return { agent, agentConfig: { sandbox: { plugin: "bubblewrap", network } } };
}

const command = { agent: "command", agentConfig: { command: ["run"] } };

test("the agents whose model is known exist", () => {
  expect(PLUGIN_NAMES.agent.available).toEqual(expect.arrayContaining(Object.keys(MODEL_HOSTS)));
});

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
      "a restricted network without a sandbox",
      { projects: { a: { path: "x", ...command, trust: { network: false } } } },
      "projects.a.trust.network: ao cannot restrict the network in project a: its agent has no sandbox",
    ],
    [
      "a restricted network for a sandbox with all of it",
      {
        trust: { network: ["api.example.com"] },
        projects: { a: { path: "x", agentConfig: { sandbox: "bubblewrap" } } },
      },
      "trust.network: ao cannot restrict the network in project a: its sandbox has full network access",
    ],
    [
      "a restricted network for an agent whose model could be anywhere",
      { projects: { a: { path: "x", ...sandboxed("aider", ["api.example.com"]), trust: { network: false } } } },
      "projects.a.trust.network: ao cannot restrict the network in project a: ao does not know the hosts of aider's model",
    ],
    [
      "a restricted network whose list lacks the model",
      { projects: { a: { path: "x", ...sandboxed("claude-code", ["npmjs.org"]), trust: { network: false } } } },
      "projects.a.trust.network: ao cannot restrict the network in project a: its sandbox lists no host of its model (api.anthropic.com)",
    ],
    [
      "both spellings of a key",
      { orchestrator: { max_parallel_agents: 1, maxParallelAgents: 2 } },
      "orchestrator.max_parallel_agents: maxParallelAgents is written too",
    ],
    [
      "both names of a reaction",
      { reactions: { "merge-conflict": {}, "merge-conflicts": {} } },
      "reactions.merge-conflicts: is another name for merge-conflict, which is set too",
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
      "projects.a.policies.rules[0].unless: must be true or false, but is of type int",
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
    [
      "a network that is restricted to the model",
      {
        trust: { network: false },
        projects: { a: { path: "x", ...sandboxed("claude-code", ["*.anthropic.com", "npmjs.org"]) } },
      },
    ],
    [
      "a network that is restricted to a list, for any agent",
      { projects: { a: { path: "x", ...sandboxed("aider", ["npmjs.org"]), trust: { network: [] } } } },
    ],
    [
      "a restricted network in a sandbox that has none",
      { projects: { a: { path: "x", ...sandboxed("aider", "none"), trust: { network: false } } } },
    ],
    [
      "a project that has its network despite the global trust",
      { trust: { network: false }, projects: { a: { path: "x", trust: { network: true } } } },
    ],
  ])("allow %s", (_, written) => {
    expect(findings(written)).toEqual([]);
  });
});
