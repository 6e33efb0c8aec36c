import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { clone } from "../../plugins/workspace/clone/clone.ts";
import { worktree } from "../../plugins/workspace/worktree/worktree.ts";
import type { Workspace, WorkspaceRef } from "../../ports/workspace.ts";
import { git, writeFiles } from "../../testing/git-repo.ts";
import { tempDir } from "../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../testing/workspace-fixture.ts";
import { createGit } from "./git.ts";
import { trustPrograms } from "./programs.ts";

interface Scene {
  readonly fixture: WorkspaceFixture;
  readonly ref: WorkspaceRef;
  readonly base: string;
  /** What a program of the agent's would leave behind. */
  readonly evidence: string;
  /** A git folder whose settings and hooks start that program. */
  readonly evil: string;
  /** A file of the user's. */
  readonly own: string;
  /** AO_HOME. */
  readonly home: string;
}

const SETTINGS = [
  "core.fsmonitor",
  "filter.x.clean",
  "filter.x.smudge",
  "diff.x.textconv",
  "diff.x.command",
  "merge.x.driver",
];

async function open(plugin: typeof worktree | typeof clone): Promise<Scene> {
  const home = tempDir();
  const fixture = openWorkspaceFixture(
    (host): Workspace => plugin.create(plugin.config.parse({}), host, { home, projectPath: "" }),
    { "a.txt": "a\n" },
  );
  const request = fixture.request("one");
  const info = await fixture.workspace.create(request);
  const outside = tempDir();
  const [evidence, program, evil, own] = ["evidence", "evil.sh", "evil.git", "bashrc"].map((name) =>
    join(outside, name),
  ) as [string, string, string, string];
  writeFileSync(program, `#!/bin/sh\nenv > ${evidence}\ncat\n`, { mode: 0o755 });
  writeFileSync(own, "mine\n");
  git(outside, "init", "-q", "--bare", evil);
  git(outside, "config", "-f", join(evil, "config"), "core.bare", "false");
  for (const name of SETTINGS) git(outside, "config", "-f", join(evil, "config"), name, program);
  for (const name of ["post-checkout", "pre-commit", "reference-transaction", "post-index-change"]) {
    mkdirSync(join(evil, "hooks"), { recursive: true });
    writeFileSync(join(evil, "hooks", name), readFileSync(program), { mode: 0o755 });
  }
  writeFiles(info.path, { ".gitattributes": "* filter=x diff=x merge=x\n", "a.txt": "changed\n" });
  return { fixture, ref: fixture.refOf(info, request), base: info.baseCommit, evidence, evil, own, home };
}

/** Every operation that runs git in a workspace. Refusals are fine: what matters is what was run and written. */
async function walk({ fixture: { workspace }, ref, base }: Scene): Promise<readonly string[]> {
  const refusals: string[] = [];
  const steps: readonly (() => Promise<unknown>)[] = [
    () => workspace.diff(ref, base),
    () => workspace.readChanges(ref),
    () => workspace.checkMerged(ref),
    async () => workspace.publish?.(ref),
    () => workspace.commit(ref, { message: "all of it", env: {} }),
    () => workspace.remove(ref),
    () => workspace.create({ ...requestOf(ref), restore: true }),
  ];
  for (const step of steps) await step().catch((error: unknown) => refusals.push((error as Error).message));
  return refusals;
}

function requestOf(ref: WorkspaceRef): Parameters<Workspace["create"]>[0] {
  const { project, sessionId, branch } = ref;
  return { project, sessionId, name: "one", branch, generation: 2, restore: true, intentId: "i", attempt: 1 };
}

const PLANTS: readonly (readonly [string, typeof worktree | typeof clone, (scene: Scene, gitDir: string) => void])[] = [
  [
    "commondir in a worktree's git folder",
    worktree,
    ({ evil }, gitDir) => writeFileSync(join(gitDir, "commondir"), evil),
  ],
  ["commondir in a clone", clone, ({ evil }, gitDir) => writeFileSync(join(gitDir, "commondir"), evil)],
  [
    "settings in a clone",
    clone,
    ({ evil }, gitDir) => appendFileSync(join(gitDir, "config"), readFileSync(join(evil, "config"))),
  ],
  ["hooks in a clone", clone, ({ evil }, gitDir) => swap(join(gitDir, "hooks"), join(evil, "hooks"))],
  [
    "a .git file that names another repository",
    worktree,
    ({ ref, evil }) => {
      mkdirSync(join(evil, "worktrees/one"), { recursive: true });
      writeFileSync(join(evil, "worktrees/one/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(ref.path, ".git"), `gitdir: ${evil}/worktrees/one\n`);
    },
  ],
  ["a repository in place of the .git file", worktree, ({ ref, evil }) => swap(join(ref.path, ".git"), evil)],
  [
    "a submodule with settings",
    worktree,
    ({ ref, evil }) => {
      mkdirSync(join(ref.path, "sub"));
      writeFileSync(join(ref.path, "sub/.git"), `gitdir: ${evil}\n`);
      writeFiles(ref.path, { "sub/x": "x\n", "sub/.gitattributes": "* filter=x\n" });
      git(ref.path, "update-index", "--add", "--cacheinfo", `160000,${git(ref.path, "rev-parse", "HEAD").trim()},sub`);
    },
  ],
];

const LINKS = ["index", "COMMIT_EDITMSG", "logs/HEAD", "ORIG_HEAD"];

function swap(path: string, by: string): void {
  rmSync(path, { recursive: true, force: true });
  renameSync(by, path);
}

function gitDirOf(ref: WorkspaceRef, plugin: typeof worktree | typeof clone): string {
  return plugin === clone ? join(ref.path, ".git") : join(ref.project.path, ".git/worktrees/one");
}

describe("git of the daemon, in a workspace whose agent planted", () => {
  it.each(PLANTS)("%s, runs nothing of it", async (_, plugin, plant) => {
    const scene = await open(plugin);
    plant(scene, gitDirOf(scene.ref, plugin));
    await walk(scene);
    expect(existsSync(scene.evidence)).toBe(false);
  });

  it.each(LINKS)("a link in place of %s, writes nothing through it", async (name) => {
    const scene = await open(worktree);
    const path = join(gitDirOf(scene.ref, worktree), name);
    rmSync(path, { force: true });
    symlinkSync(scene.own, path);
    const [first] = await walk(scene);
    expect(first).toContain(`${path} is a symbolic link`);
    expect(readFileSync(scene.own, "utf8")).toBe("mine\n");
  });

  it.each(["logs/refs/heads/topic", "refs/heads/deep"])("a link at %s, moves no ref through it", async (name) => {
    const { fixture, own } = await open(worktree);
    const path = join(fixture.repo, ".git", name);
    symlinkSync(name.startsWith("logs") ? own : tempDir(), path);
    const host = createNodeHost({ log: createSilentLog() });
    const ref = name.startsWith("logs") ? "refs/heads/topic" : "refs/heads/deep/topic";
    const moved = createGit(host)({ cwd: fixture.repo, args: ["update-ref", ref, "HEAD"] });
    await expect(moved).rejects.toThrow("is a symbolic link");
    expect(readFileSync(own, "utf8")).toBe("mine\n");
  });
});

describe("git of the daemon", () => {
  it("runs the project's own filter in a worktree and in a clone, without the daemon's secrets", async () => {
    for (const plugin of [worktree, clone]) {
      const { fixture, ref, base, evidence, home } = await open(plugin);
      process.env["DATABASE_URL"] = "hunter2";
      git(fixture.repo, "config", "filter.x.clean", `sh -c 'env > ${evidence}; cat'`);
      await trustPrograms(createNodeHost({ log: createSilentLog() }), home, fixture.repo);
      try {
        await fixture.workspace.diff(ref, base);
      } finally {
        delete process.env["DATABASE_URL"];
      }
      expect(readFileSync(evidence, "utf8")).toContain("GIT_DIR=");
      expect(readFileSync(evidence, "utf8")).not.toContain("hunter2");
    }
  });
});
