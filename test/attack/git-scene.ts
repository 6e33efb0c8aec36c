import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readGitIdentity } from "../../src/app/git-identity.ts";
import { readRepository } from "../../src/app/repository-facts.ts";
import { createUserName } from "../../src/app/user-name.ts";
import { createNodeHost } from "../../src/platform/host.ts";
import { createSilentLog } from "../../src/platform/log.ts";
import { localScm } from "../../src/plugins/scm/local/local.ts";
import { clone } from "../../src/plugins/workspace/clone/clone.ts";
import { worktree } from "../../src/plugins/workspace/worktree/worktree.ts";
import type { Scm } from "../../src/ports/scm.ts";
import type { Workspace, WorkspaceRef } from "../../src/ports/workspace.ts";
import { trustPrograms } from "../../src/providers/git/programs.ts";
import { git, makeRepo, writeFiles } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { requestsFor } from "../../src/testing/workspace-fixture.ts";

export type Kind = "worktree" | "clone";

/** A project with one workspace, whose agent may write wherever it likes, and everything of the product that runs git. */
export interface GitScene {
  readonly kind: Kind;
  readonly repo: string;
  /** The agent's workspace. */
  readonly folder: string;
  /** The workspace's own git folder. */
  readonly gitDir: string;
  readonly ref: WorkspaceRef;
  readonly base: string;
  /** A user folder next to the project. */
  readonly outside: string;
  /** A user file in it. */
  readonly own: string;
  readonly workspace: Workspace;
  readonly scm: Scm;
}

const PLUGINS = { worktree, clone };
const SCRIPT = (name: string, evidence: string): string => `#!/bin/sh\nenv > '${join(evidence, name)}'\ncat\n`;

/** A workspace with uncommitted changes, and two commits on its branch. */
export async function openGitScene(kind: Kind, prepare: (repo: string) => void = () => undefined): Promise<GitScene> {
  const [root, home, outside] = [tempDir(), tempDir(), tempDir()];
  const repo = makeRepo(join(root, "repo"), { "a.txt": "a\n", "b.txt": "b\n" });
  prepare(repo);
  const host = createNodeHost({ log: createSilentLog() });
  const plugin = PLUGINS[kind];
  const workspace = plugin.create(plugin.config.parse({}), host, { home, projectPath: repo });
  const scm = localScm.create({}, host, { home, projectPath: repo });
  await trustPrograms(host, home, repo);
  const { request, refOf } = requestsFor(repo);
  const asked = request("one");
  const info = await workspace.create(asked);
  const folder = info.path;
  git(folder, "commit", "-q", "--allow-empty", "-m", "begin");
  writeFiles(folder, { "a.txt": "changed\n", "new.txt": "new\n" });
  const own = join(outside, "bashrc");
  writeFileSync(own, "mine\n");
  const gitDir = kind === "clone" ? join(folder, ".git") : join(repo, ".git/worktrees/one");
  return {
    ...{ kind, repo, folder, gitDir, outside, own, workspace, scm },
    ref: refOf(info, asked),
    base: info.baseCommit,
  };
}

/** The calls that write to a repository or workspace. */
export const WRITING: readonly string[] = [
  ...["commit", "publish", "open a pull request", "try a merge", "merge", "remove", "restore", "delete a branch"],
];

/** Makes every git call of the product; returns the refused ones with their reasons. */
export async function walkGitCalls(
  scene: GitScene,
  only: readonly string[] | null = null,
): Promise<ReadonlyMap<string, string>> {
  const { workspace, scm, ref, base, repo } = scene;
  const host = createNodeHost({ log: createSilentLog() });
  const { project, branch } = ref;
  const head = async (): Promise<string> => (await scm.readHead(project, branch)) ?? base;
  const merge = async () => ({
    ...{ project, number: 1, branch, base: "main", head: await head(), strategy: "squash" as const },
    ...{ title: "Title", body: "" },
  });
  const check = async () => ({
    ...{ project, commit: await head(), check: "unit", run: "true", setup: "", timeoutMs: 60_000, intentId: "i" },
    ...{ folder: tempDir(), env: { PATH: process.env["PATH"] ?? "" } },
  });
  const restored = { ...requestsFor(repo).request("one"), generation: 2, restore: true };
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    "repository facts": () => readRepository(host, repo, null),
    "repository facts, asked in the workspace": () => readRepository(host, scene.folder, null),
    "user name": () => createUserName(host)(repo),
    identity: () => readGitIdentity(host, repo),
    inspect: () => workspace.inspect(ref),
    "workspace diff": () => workspace.diff(ref, base),
    "uncommitted changes": () => workspace.readChanges(ref),
    commit: () => workspace.commit(ref, { message: "all of it", env: {} }),
    publish: async () => workspace.publish?.(ref),
    "branch facts": () => scm.readBranch(project, branch, "main"),
    subjects: () => scm.readSubjects(project, branch, "main"),
    "open a pull request": async () =>
      scm.ensureChange({ project, branch, base: "main", head: await head(), title: "T", body: "", after: 0 }),
    "pull request diff": async () => scm.diff(project, await head(), "main"),
    "size of a pull request": async () => scm.countChanges(project, { head: await head(), base }),
    "lines of a file": async () => scm.countLines(project, await head(), "a.txt"),
    "try a merge": async () => scm.tryMerge(project, { head: await head(), baseHead: base }),
    check: async () => scm.runCheck(await check(), () => true),
    merge: async () => scm.merge(await merge()),
    "reconcile a merge": async () => scm.reconcileMerge(await merge()),
    "is it merged": () => workspace.checkMerged(ref),
    "uncommitted changes again": async () => {
      if (existsSync(scene.folder)) writeFiles(scene.folder, { "b.txt": "changed too\n" });
      await workspace.readChanges(ref);
    },
    remove: () => workspace.remove(ref),
    restore: () => workspace.create(restored),
    "reconcile a restore": () => workspace.reconcileCreate(restored),
    "remove again": () => workspace.remove({ ...ref, generation: 2 }),
    "saved states": () => workspace.dropPreserved(ref, true),
    "delete a branch": async () => scm.deleteBranch(project, branch, await head()),
  };
  const refusals = new Map<string, string>();
  for (const [name, call] of Object.entries(calls)) {
    if (only?.includes(name) === false) continue;
    await call().catch((error: unknown) => refusals.set(name, (error as Error).message));
  }
  return refusals;
}

/** What no attempt may change: the user's files outside, and the user's branch except for what ao merged. */
export function readUsers({ outside, own, repo }: GitScene): unknown {
  const files = readdirSync(outside, { recursive: true, encoding: "utf8" }).sort();
  const main = spawnSync("git", ["log", "--format=%H", "--invert-grep", "--grep=^Ao-Change:", "main", "--"], {
    cwd: repo,
  });
  return { files, own: readFileSync(own, "utf8"), main: main.stdout.toString() };
}

/** Programs that leave a file with their own name, wherever they are started. */
export interface Traps {
  /** The command of a trap. */
  path(name: string): string;
  /** The traps that were started. */
  sprung(): readonly string[];
}

export function setTraps(names: readonly string[]): Traps {
  const [folder, evidence] = [tempDir(), tempDir()];
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), SCRIPT(name, evidence), { mode: 0o755 });
  return { path: (name) => join(folder, name), sprung: () => readdirSync(evidence).sort() };
}
