import { expect, test } from "vitest";
import { isInEffect, listNotInEffect, listNotInVersion } from "./in-effect.ts";
import { parseConfig } from "./parse.ts";
import { PLUGIN_NAMES } from "./plugin-names.ts";
import type { WrittenConfig } from "./schema.ts";

test("what is built is not listed", () => {
  const written: WrittenConfig = {
    $schema: "s",
    port: 1,
    host: "h",
    defaults: { runtime: { plugin: "tmux", any: 1 }, agent: "command", workspace: "worktree", tracker: "local" },
    limits: { parallelAgents: 1, perProject: 1 },
    prices: { "house-model": { input: 1, output: 2 } },
    orchestrator: { max_parallel_agents: 1 },
    dashboard: { allowedHosts: ["h"] },
    projects: {
      "a.b": {
        path: "x",
        env: { A: "1" },
        agentConfig: { command: ["x"], protocol: "lines", interface: "structured" },
        gitIdentity: { name: "n", email: "e" },
        limits: { perProject: 1 },
      },
    },
  };
  expect(listNotInEffect(written)).toEqual([]);
});

test("what is not built is listed key by key", () => {
  const written: WrittenConfig = {
    reactions: {
      "ci-failed": { retries: 1, condition: "true", action: "rerun-ci" },
      "merge-conflicts": { retries: 1, action: "send-to-agent" },
      "pr-opened": { action: "notify" },
    },
    policies: { approvals: 1, maxFiles: 3 },
    agents: [{ id: "a" }],
    limits: { parallelAgents: 1, costPerDay: 3 },
    projects: { app: { path: "x", agentConfig: { effort: "high" }, reactions: { "session.stopped": {} } } },
  };
  expect(listNotInEffect(written)).toEqual([
    "reactions.ci-failed.condition: not in effect yet",
    "reactions.ci-failed.action: not in effect yet",
    "reactions.pr-opened: not in effect yet",
    "policies.maxFiles: not in effect yet",
    "agents: not in effect yet",
    "limits.costPerDay: not in effect yet",
    "projects.app.agentConfig.effort: not in effect yet",
    'projects.app.reactions."session.stopped": not in effect yet',
  ]);
});

test("plugins that are planned are told as not in this version, and are no error", () => {
  const { written } = parseConfig("defaults: { runtime: ssh }", "f.yaml", {});
  expect(listNotInVersion(written)).toEqual(["defaults.runtime: ssh is not in this version"]);
});

test.each(Object.entries(PLUGIN_NAMES))("no %s is both available and planned", (_, { available, planned }) => {
  expect(available.filter((name) => planned.includes(name))).toEqual([]);
});

test("a key above a built one counts as in effect", () => {
  expect(isInEffect(["projects", "<id>"])).toBe(true);
  expect(isInEffect(["hooks"])).toBe(false);
});
