import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import type {
  CreateWorkspace,
  PreservedRef,
  RemoveOutcome,
  TrialMerges,
  Workspace,
  WorkspaceInfo,
  WorkspaceRef,
} from "../../ports/workspace.ts";
import { diffTrees, type FakeRepository, type Tree } from "./repository.ts";

export interface WorkspaceWorld {
  readonly workspace: Workspace;
  /** Paths of created folders, in order. */
  readonly created: string[];
  /** Sessions whose folders were captured for a comparison, in order. */
  readonly captured: string[];
  /** Why no folder may be removed; null: they may. */
  obstacle: string | null;
  /** The branch checked out in a folder. */
  branchAt(path: string): string | null;
}

interface Parts {
  readonly fs: HostFs;
  readonly repository: FakeRepository;
  /** The answers of `create`, by folder. */
  readonly made: Map<string, WorkspaceInfo>;
  /** The answers of `remove`, by session and generation. */
  readonly removed: Map<string, RemoveOutcome>;
}

/**
 * Workspaces in memory: folders are trees of files, and uncommitted work is kept under a ref before they are removed.
 */
export function createFakeWorkspace(fs: HostFs, repository: FakeRepository): WorkspaceWorld {
  const parts: Parts = { fs, repository, made: new Map(), removed: new Map() };
  const changedFiles = async ({ path, branch }: WorkspaceRef): Promise<readonly string[]> => {
    const [now, then] = [await readTree(fs, path), headTree(parts, branch)];
    return [...new Set([...now.keys(), ...then.keys()])].filter((name) => now.get(name) !== then.get(name)).sort();
  };
  const world: WorkspaceWorld = {
    created: [],
    captured: [],
    obstacle: null,
    branchAt: (path) => parts.made.get(path)?.branch ?? null,
    workspace: {
      create: async (request) => {
        const path = pathOf(request);
        const known = parts.made.get(path);
        if (known !== undefined && (await fs.stat(path)) !== null) return known;
        world.created.push(path);
        return make(parts, request, path);
      },
      reconcileCreate: async (request) => {
        const value = parts.made.get(pathOf(request));
        const isThere = (await fs.stat(pathOf(request))) !== null;
        return value === undefined || !isThere ? { kind: "not-done" } : { kind: "done", value };
      },
      remove: (ref) =>
        world.obstacle === null ? remove(parts, ref) : Promise.resolve({ kind: "kept", reason: world.obstacle }),
      inspect: async ({ path, branch }) => {
        if ((await fs.stat(path)) === null) return { kind: "missing", evidence: `${path} is gone` };
        if (repository.head(branch) === null) return { kind: "branch-missing", evidence: `${branch} is gone` };
        return { kind: "ready" };
      },
      diff: async ({ path }, baseCommit) =>
        diffTrees(repository.get(baseCommit)?.tree ?? new Map(), await readTree(fs, path)),
      readChanges: async (ref) => {
        const names = await changedFiles(ref);
        if (names.length === 0) return null;
        const tree = createHash("sha1")
          .update(JSON.stringify([...(await readTree(fs, ref.path))]))
          .digest("hex");
        return { count: names.length, names: names.slice(0, 5), tree };
      },
      commit: async (ref, { message }) => {
        const files = (await changedFiles(ref)).length;
        if (files === 0) return { kind: "nothing" };
        const tree = await readTree(fs, ref.path);
        const parents = [repository.head(ref.branch)].filter((id) => id !== null);
        const { id } = repository.commit({ parents, tree, subject: message.split("\n")[0] ?? "" });
        repository.setHead(ref.branch, id);
        return { kind: "committed", head: id, files };
      },
      checkMerged: async (ref) => checkMerged(parts, ref, (await changedFiles(ref)).length > 0),
      dropPreserved: async ({ sessionId }, dryRun) => {
        const states = preservedOf(repository, sessionId);
        if (!dryRun) for (const { ref } of states) repository.refs.delete(ref);
        return states;
      },
      deleteBranch: async (ref) => {
        const isCheckedOut = (await fs.stat(ref.path)) !== null;
        if (isCheckedOut || !(await checkMerged(parts, ref, false)).merged) return false;
        return repository.refs.delete(`refs/heads/${ref.branch}`);
      },
      trials: createFakeTrials(parts, (sessionId) => world.captured.push(sessionId)),
    },
  };
  return world;
}

function createFakeTrials({ fs, repository }: Parts, note: (sessionId: string) => void): TrialMerges {
  const captured = new Map<string, string>();
  return {
    capture: async ({ path, branch, sessionId }) => {
      note(sessionId);
      const head = repository.head(branch);
      if (head === null || (await fs.stat(path)) === null) return null;
      const tree = await readTree(fs, path);
      if (diffTrees(repository.get(head)?.tree ?? new Map(), tree) === "") return head;
      const key = JSON.stringify([head, [...tree]]);
      const commit = captured.get(key) ?? repository.commit({ parents: [head], tree, subject: "captured" }).id;
      captured.set(key, commit);
      return commit;
    },
    merge: async (_, pairs) =>
      pairs.map(({ ours, theirs }) => {
        if (repository.get(theirs) === undefined) return { kind: "unknown", reason: `there is no commit ${theirs}` };
        const { conflicts } = repository.merge(ours, theirs);
        return conflicts.length === 0 ? { kind: "clean" } : { kind: "conflict", files: conflicts };
      }),
    forget: async () => captured.clear(),
  };
}

function pathOf({ project, name }: CreateWorkspace): string {
  return join(project.worktreeDir ?? join(project.path, ".worktrees"), name);
}

async function make(parts: Parts, request: CreateWorkspace, path: string): Promise<WorkspaceInfo> {
  const { fs, repository } = parts;
  const { branch, project, sessionId, restore } = request;
  const base = request.base ?? project.defaultBranch;
  const start = repository.head(base) ?? base;
  const head = repository.head(branch) ?? start;
  repository.setHead(branch, head);
  const saved = restore ? preservedOf(repository, sessionId).at(-1) : undefined;
  const notes = restore && saved === undefined ? ["what was saved is gone"] : [];
  await writeTree(fs, path, repository.get(saved?.commit ?? head)?.tree ?? new Map());
  const info = { path, branch, head, baseCommit: start, restoredFrom: saved?.ref ?? null, notes };
  parts.made.set(path, info);
  return info;
}

async function remove(parts: Parts, { path, branch, sessionId, generation }: WorkspaceRef): Promise<RemoveOutcome> {
  const { fs, repository, removed } = parts;
  const key = `${sessionId}/${generation}`;
  const head = repository.head(branch);
  if ((await fs.stat(path)) === null) return removed.get(key) ?? { kind: "removed", preservedRef: null, head };
  const tree = await readTree(fs, path);
  const isClean = diffTrees(headTree(parts, branch), tree) === "";
  const preservedRef = isClean
    ? null
    : `refs/ao/preserved/${sessionId}/${preservedOf(repository, sessionId).length + 1}`;
  if (preservedRef !== null) {
    const { id } = repository.commit({ parents: head === null ? [] : [head], tree, subject: "saved" });
    repository.refs.set(preservedRef, id);
  }
  await fs.remove(path);
  const outcome: RemoveOutcome = { kind: "removed", preservedRef, head };
  removed.set(key, outcome);
  return outcome;
}

function checkMerged(
  { repository }: Parts,
  { branch, project }: WorkspaceRef,
  isDirty: boolean,
): Awaited<ReturnType<Workspace["checkMerged"]>> {
  const head = repository.head(branch);
  if (head === null) return { merged: false, exists: false, reason: `there is no branch ${branch}` };
  if (isDirty) return { merged: false, exists: true, reason: "files are not committed" };
  const base = repository.history(repository.head(project.defaultBranch) ?? "");
  const merged = base.some(({ id }) => id === head);
  return { merged, exists: true, reason: merged ? "it is merged" : "it is not merged" };
}

function preservedOf(repository: FakeRepository, sessionId: string): readonly PreservedRef[] {
  return [...repository.refs]
    .filter(([ref]) => ref.startsWith(`refs/ao/preserved/${sessionId}/`))
    .map(([ref, commit]) => ({ ref, commit }));
}

function headTree({ repository }: Parts, branch: string): Tree {
  return repository.get(repository.head(branch) ?? "")?.tree ?? new Map();
}

async function writeTree(fs: HostFs, path: string, tree: Tree): Promise<void> {
  await fs.makeDir(path);
  for (const [name, text] of tree) {
    await fs.makeDir(dirname(join(path, name)));
    await fs.writeText(join(path, name), text);
  }
}

async function readTree(fs: HostFs, path: string, prefix = ""): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for (const name of await fs.list(path)) {
    const stat = await fs.stat(join(path, name));
    const inner = stat?.kind === "directory" ? await readTree(fs, join(path, name), `${prefix}${name}/`) : null;
    if (inner === null) tree.set(prefix + name, (await fs.readText(join(path, name))) ?? "");
    else for (const [key, text] of inner) tree.set(key, text);
  }
  return tree;
}
