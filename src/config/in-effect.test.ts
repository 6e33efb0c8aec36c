import { expect, test } from "vitest";
import { isInEffect, listNotInEffect, listNotInVersion } from "./in-effect.ts";
import { parseConfig } from "./parse.ts";
import { PLUGIN_NAMES } from "./plugin-names.ts";
import type { WrittenConfig } from "./schema.ts";

test("implemented keys are not listed", () => {
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

test("keys that are not implemented are listed one by one", () => {
  const written: WrittenConfig = {
    reactions: {
      "ci-failed": { retries: 1, condition: "true", action: "rerun-ci" },
      "main-broken": { action: "notify" },
    },
    policies: { approvals: 1, maxFiles: 3 },
    agents: [{ id: "a" }],
    limits: { parallelAgents: 1, costPerDay: 3, load: 2 },
    projects: { app: { path: "x", reactions: { "session.stopped": {} } } },
  };
  expect(listNotInEffect(written)).toEqual([
    "agents: not implemented yet, ignored",
    "limits.load: not implemented yet, ignored",
  ]);
});

test.each<[string, WrittenConfig, readonly string[]]>([
  ["a check on main", { projects: { app: { path: "x", checks: { t: { run: "x", on: ["pr", "main"] } } } } }, []],
  ["a check on pull requests", { projects: { app: { path: "x", checks: { t: { run: "x", on: ["pr"] } } } } }, []],
  [
    "a handler that asks for approval",
    { orchestrator: { reaction_handlers: { review_comments: { auto_respond: true, require_approval_after: 3 } } } },
    [],
  ],
  [
    "a repository on a forge",
    { projects: { app: { path: "x", repo: "owner/app" } } },
    ["projects.app.repo: has no effect without a forge; set tracker to github or gitlab"],
  ],
  ["a repository of a tracker", { projects: { app: { path: "x", repo: "owner/app", tracker: "github" } } }, []],
])("reports what happens to %s", (_, written, expected) => {
  expect(listNotInEffect(written)).toEqual(expected);
});

test("planned plugins are reported as not in this version, without an error", () => {
  const { written } = parseConfig("defaults: { runtime: ssh }", "f.yaml", { env: {} });
  expect(listNotInVersion(written)).toEqual(["defaults.runtime: ssh is not in this version"]);
});

test.each(Object.entries(PLUGIN_NAMES))("no %s is both available and planned", (_, { available, planned }) => {
  expect(available.filter((name) => planned.includes(name))).toEqual([]);
});

test("a parent of an implemented key counts as in effect", () => {
  expect(isInEffect(["projects", "<id>"])).toBe(true);
  expect(isInEffect(["power"])).toBe(false);
});

test("a key that needs another one counts as in effect", () => {
  expect(isInEffect(["projects", "<id>", "repo"])).toBe(true);
});
