import { describe, expect, test } from "vitest";
import type { Config, ProjectConfig } from "./config.ts";
import { normalize } from "./normalize.ts";
import type { WrittenConfig, WrittenProject } from "./schema.ts";

const context = { base: "/repo", home: "/home/u" };

function config(written: WrittenConfig): Config {
  return normalize(written, context);
}

function project(written: WrittenProject, rest: WrittenConfig = {}): ProjectConfig {
  const found = config({ ...rest, projects: { app: { path: ".", ...written } } }).projects["app"];
  if (found === undefined) throw new Error("the project is missing");
  return found;
}

describe("an empty file", () => {
  const { machine, projects } = config({});

  test("has the documented defaults", () => {
    expect(machine).toMatchObject({
      port: null,
      host: "127.0.0.1",
      limits: { parallelAgents: 5, perProject: null, costPerDay: null },
      orchestrator: { autoAssign: false },
      lifecycle: { hibernateAfterMs: 600_000, polling: { runningMs: 15_000, quietMs: 60_000, idleMs: 300_000 } },
    });
    expect(projects).toEqual({});
  });

  test.each([
    ["90s", 90_000],
    ["never", null],
  ])("hibernates idle agents after %s if configured", (hibernateAfter, ms) => {
    expect(config({ lifecycle: { hibernateAfter } }).machine.lifecycle.hibernateAfterMs).toBe(ms);
  });

  test("leaves runtime and agent undecided", () => {
    expect(machine.defaults).toMatchObject({
      runtime: null,
      agent: null,
      workspace: { plugin: "worktree", config: {} },
      tracker: { plugin: "local", config: {} },
    });
  });
});

describe("limits", () => {
  test.each<[WrittenConfig, number]>([
    [{}, 5],
    [{ orchestrator: { max_parallel_agents: 3 } }, 3],
    [{ orchestrator: { maxParallelAgents: 4 } }, 4],
    [{ orchestrator: { max_parallel_agents: 3 }, limits: { parallelAgents: 9 } }, 9],
  ])("%j allow %i agents at once", (written, expected) => {
    expect(config(written).machine.limits.parallelAgents).toBe(expected);
  });

  test("of the project override those of the machine", () => {
    const machine = { limits: { perProject: 4, costPerTask: 2 } };
    expect(project({ limits: { perProject: 1 } }, machine).limits).toMatchObject({ perProject: 1, costPerTask: 2 });
    expect(project({}, machine).limits.perProject).toBe(4);
    expect(project({}, machine).limits.reruns).toBe(1);
    expect(project({ limits: { reruns: 2 } }, { limits: { reruns: 0 } }).limits.reruns).toBe(2);
    expect(project({}, { limits: { reruns: 0 } }).limits.reruns).toBe(0);
  });

  test("parse memory sizes into bytes", () => {
    expect(config({ limits: { memory: "2GB" } }).machine.limits.memoryBytes).toBe(2 * 1024 ** 3);
  });
});

test("a price without a cached-input price charges cached input in full", () => {
  const prices = { "a-model": { input: 3, output: 15 }, "b-model": { input: 3, cachedInput: 0.3, output: 15 } };
  expect(config({ prices }).machine.prices).toEqual({
    "a-model": { input: 3, cachedInput: 3, output: 15 },
    "b-model": { input: 3, cachedInput: 0.3, output: 15 },
  });
});

describe("a project", () => {
  test("leaves out a password in the address of its repository", () => {
    const { repo, scm } = project({ repo: "https://ada:secret@forge.example.com/octo/app", scm: "github" });
    expect(repo).toBe("https://forge.example.com/octo/app");
    expect(scm.config).toEqual({ repo });
  });

  test("passes its repository to a tracker on a forge that has none configured, and to no other", () => {
    const repo = "octo/app";
    expect(project({ repo, tracker: "github" }).tracker).toEqual({ plugin: "github", config: { repo } });
    expect(project({ repo, tracker: { plugin: "github", repo: "octo/issues" } }).tracker.config).toEqual({
      repo: "octo/issues",
    });
    expect(project({ repo }).tracker).toEqual({ plugin: "local", config: {} });
  });

  test("with only a path has every default", () => {
    expect(project({})).toMatchObject({
      id: "app",
      name: "app",
      path: "/repo",
      repo: null,
      defaultBranch: null,
      sessionPrefix: "app",
      runtime: null,
      agent: null,
      agentInterface: null,
      scm: { plugin: "local" },
      env: {},
      symlinks: [],
      postCreate: [],
      worktreeDir: null,
      gitIdentity: "user",
      openPullRequest: "auto",
      checks: null,
      policies: { approvals: 1 },
    });
  });

  test.each([
    ["~", "/home/u"],
    ["~/a", "/home/u/a"],
    ["sub/../x", "/repo/x"],
    ["/abs/./y", "/abs/y"],
    ["~other/x", "/repo/~other/x"],
  ])("at %s resolves to %s", (path, expected) => {
    expect(project({ path }).path).toBe(expected);
  });

  test("resolves its other paths from its own folder", () => {
    const found = project({ path: "~/app", worktreeDir: "../trees", agentRulesFile: "AGENTS.md" });
    expect(found).toMatchObject({ worktreeDir: "/home/u/trees", agentRulesFile: "/home/u/app/AGENTS.md" });
  });

  test("with a dot in its id gets a prefix that tmux accepts", () => {
    expect(config({ projects: { "next.js": { path: "." } } }).projects["next.js"]?.sessionPrefix).toBe("next-js");
  });

  test("has its agentConfig merged into the agent, apart from the interface", () => {
    const found = project({
      agent: { plugin: "command", protocol: "lines" },
      agentConfig: { command: ["x"], interface: "structured" },
    });
    expect(found.agent).toEqual({ plugin: "command", config: { protocol: "lines", command: ["x"] } });
    expect(found.agentInterface).toBe("structured");
  });

  test("keeps the settings of the default plugin only if it names the same one", () => {
    const rest = { defaults: { agent: { plugin: "command", command: ["a"] } } };
    expect(project({ agent: "command" }, rest).agent?.config).toEqual({ command: ["a"] });
    expect(project({ agent: "codex" }, rest).agent).toEqual({ plugin: "codex", config: {} });
  });

  test.each([
    ["default", "ask"],
    ["suggest", "ask"],
    ["auto-edit", "edits"],
    ["permissionless", "all"],
    ["skip", "all"],
    ["edits", "edits"],
  ] as const)("normalizes the permissions %s to %s", (permissions, expected) => {
    expect(project({ agent: "codex", agentConfig: { permissions } }).agent?.config["permissions"]).toBe(expected);
  });

  test("has its environment as strings, its commands as lists, its checks with their limits", () => {
    const found = project({ env: { A: 1, B: true }, preRemove: "x", checks: { t: { run: "npm test" } } });
    expect(found.env).toEqual({ A: "1", B: "true" });
    expect(found.preRemove).toEqual(["x"]);
    expect(found.checks).toEqual({
      t: { run: "npm test", setup: null, timeoutMs: 600_000, required: true, on: ["pr"] },
    });
  });

  test("inherits the global policies", () => {
    const rest = { policies: { approvals: 2, maxFiles: 9, quietHours: "22:00-07:00 UTC" } };
    expect(project({ policies: { approvals: 0 } }, rest).policies).toMatchObject({
      approvals: 0,
      maxFiles: 9,
      quietHours: { from: "22:00", to: "07:00", timeZone: "UTC" },
    });
  });
});

describe("reactions", () => {
  test("have their documented defaults", () => {
    const { reactions } = project({});
    expect(reactions["ci-failed"]).toMatchObject({ auto: true, action: "send-to-agent", retries: 2 });
    expect(reactions["changes-requested"]?.escalateAfter).toEqual({ kind: "duration", ms: 1_800_000 });
    expect(reactions["agent-idle"]?.thresholdMs).toBe(300_000);
    expect(reactions["agent-stuck"]?.thresholdMs).toBe(600_000);
  });

  test("never merge unless configured", () => {
    expect(Object.values(project({}).reactions).map(({ action }) => action)).not.toContain("merge");
    const written = { reactions: { "approved-and-green": { auto: true, action: "auto-merge" as const } } };
    expect(project({}, written).reactions["approved-and-green"]).toMatchObject({ auto: true, action: "merge" });
  });

  test("of the project override the global ones, key by key", () => {
    const rest: WrittenConfig = { reactions: { "ci-failed": { retries: 3, escalateAfter: 2, message: "m" } } };
    expect(project({ reactions: { "ci-failed": { retries: 5 } } }, rest).reactions["ci-failed"]).toMatchObject({
      retries: 5,
      message: "m",
      escalateAfter: { kind: "count", count: 2 },
    });
  });

  test("have one name, whatever their spelling", () => {
    const { reactions } = project({}, { reactions: { "bugbot-comments": { retries: 7 } } });
    expect(reactions["bot-commented"]?.retries).toBe(7);
    expect(reactions).not.toHaveProperty("bugbot-comments");
  });

  test("can be written as orchestrator handlers, which those under `reactions` override", () => {
    const orchestrator: WrittenConfig["orchestrator"] = {
      reaction_handlers: {
        ci_failure: { max_retries: 3, escalate_after: 2 },
        review_comments: { max_retries: 4 },
      },
    };
    const { reactions } = project({}, { orchestrator, reactions: { "ci-failed": { retries: 1 } } });
    expect(reactions["ci-failed"]).toMatchObject({ retries: 1, escalateAfter: { kind: "count", count: 2 } });
    expect(reactions["changes-requested"]?.retries).toBe(4);
    expect(reactions["review-commented"]?.retries).toBe(4);
  });

  test("accept fields of actions and of the orchestrator's handlers", () => {
    const handlers = { review_comments: { auto_respond: true, require_approval_after: 2 } };
    const { reactions } = project(
      {},
      { orchestrator: { reaction_handlers: handlers }, reactions: { "pr-opened": { action: "label", label: "new" } } },
    );
    expect(reactions["pr-opened"]).toMatchObject({ action: "label", label: "new", run: null });
    expect(reactions["changes-requested"]).toMatchObject({ auto: true, requireApprovalAfter: 2 });
  });
});

test("a worker has its skills, labels and agent", () => {
  const { agents } = config({
    agents: [
      { id: "ui", tool: "codex", config: { skills: ["css"], model: "m" }, filters: { exclude_labels: ["api"] } },
    ],
  }).machine;
  expect(agents).toEqual([
    {
      id: "ui",
      runtime: null,
      agent: { plugin: "codex", config: { model: "m" } },
      skills: ["css"],
      labels: [],
      excludeLabels: ["api"],
    },
  ]);
});

test("external plugins are packages or absolute paths", () => {
  const written: WrittenConfig = {
    plugins: ["@s/p", "./x.js", { name: "n", package: "p", version: "1.2.3", enabled: false }],
  };
  expect(config(written).machine.plugins).toEqual([
    { name: null, source: { kind: "npm", package: "@s/p" }, enabled: true },
    { name: null, source: { kind: "path", path: "/repo/x.js" }, enabled: true },
    { name: "n", source: { kind: "npm", package: "p@1.2.3" }, enabled: false },
  ]);
});

test("a hook in code is a file from the folder of the configuration or the home folder, or a package", () => {
  const modules = ["./a.mjs", "../b.mjs", "~/c.mjs", "/d.mjs", "@acme/hooks"];
  const written: WrittenConfig = { hooks: { "before-merge": modules.map((module) => ({ module, timeout: "5s" })) } };
  const resolved = ["/repo/a.mjs", "/b.mjs", "/home/u/c.mjs", "/d.mjs", "@acme/hooks"];
  expect(config(written).machine.hooks["before-merge"]).toEqual(
    resolved.map((module) => ({ module, from: "/repo", timeoutMs: 5000 })),
  );
});

test("hooks are lists with their time limits", () => {
  const written: WrittenConfig = { hooks: { "before-merge": ["a", { run: "b", timeout: "5m" }] } };
  expect(config(written).machine.hooks).toEqual({
    "before-merge": [
      { run: "a", timeoutMs: 60_000 },
      { run: "b", timeoutMs: 300_000 },
    ],
  });
});

describe("what is taken from an agent that read untrusted comments", () => {
  test.each<[string, WrittenProject["trust"], object]>([
    ["nothing, by default", {}, {}],
    ["nothing, if that is written", { push: true, network: true }, {}],
    ["all hosts but those of its model", { network: false }, { network: false }],
    ["all hosts but a list", { network: ["api.example.com"] }, { network: ["api.example.com"] }],
    ["every host", { network: [] }, { network: [] }],
    ["the push too", { push: false, network: false }, { push: false, network: false }],
  ])("%s", (_, trust, taken) => {
    expect(project({ trust }).trust).toEqual({
      from: "collaborators",
      allow: [],
      deny: [],
      autoMerge: false,
      ...taken,
    });
  });
});
