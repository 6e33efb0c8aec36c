import type { Host } from "../../ports/host.ts";
import type { BuiltMerge, MergeAnswer, MergeRequest, MergeRevert, MergeRevertAnswer, Scm } from "../../ports/scm.ts";
import { createFakeChecks, type FakeChecks } from "./checks.ts";
import { diffTrees, type FakeCommit, type FakeRepository } from "./repository.ts";

export interface ScmWorld {
  readonly scm: Scm;
  readonly checks: FakeChecks;
  /** Numbers of merged changes, in order. */
  readonly merges: number[];
  /** Opened pull requests, in order. */
  readonly pulls: FakePull[];
}

export interface FakePull {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
}

/** A forge in memory, on a repository in memory. */
export function createFakeScm(host: Host, repository: FakeRepository): ScmWorld {
  const checks = createFakeChecks(host, repository);
  const merges: number[] = [];
  const pulls: FakePull[] = [];
  const ahead = (branch: string, base: string): readonly FakeCommit[] => {
    const [head, baseHead] = [repository.head(branch), repository.head(base)];
    if (head === null) return [];
    const known = new Set(baseHead === null ? [] : repository.history(baseHead).map(({ id }) => id));
    return repository.history(head).filter(({ id }) => !known.has(id));
  };
  const merge = async (request: MergeRequest): Promise<MergeAnswer> => {
    const done = mergedBefore(repository, request);
    if (done !== null) return done;
    const head = repository.head(request.branch);
    if (head !== request.head) return { kind: "moved", head };
    const baseBefore = repository.head(request.base) ?? "";
    const { exact } = request;
    if (exact !== undefined && exact.base !== baseBefore) return { kind: "base-moved", head: baseBefore };
    const { conflicts, tree } = repository.merge(baseBefore, head, request.startsAfter);
    if (exact === undefined && conflicts.length > 0) return { kind: "conflict", files: conflicts };
    const commits = ahead(request.branch, request.base);
    const commit = exact?.commit ?? buildMerge(repository, request, { baseBefore, tree, commits });
    repository.setHead(request.base, commit);
    repository.refs.set(`refs/ao/merge/${request.number}`, commit);
    repository.refs.set(`refs/ao/merge-base/${request.number}`, baseBefore);
    repository.refs.set(`refs/ao/merged/${request.number}`, head);
    merges.push(request.number);
    return { kind: "merged", commit, baseBefore };
  };
  return {
    checks,
    merges,
    pulls,
    scm: {
      readBranch: async (_project, branch, base) => {
        const [head, baseHead] = [repository.head(branch), repository.head(base)];
        if (head === null || baseHead === null) return null;
        return { head, baseHead, ahead: ahead(branch, base).length };
      },
      readSubjects: async (_project, branch, base) =>
        ahead(branch, base)
          .slice(0, 20)
          .map(({ subject }) => subject),
      readHead: async (_project, branch) => repository.head(branch),
      tryMerge: async (_project, { head, baseHead, startsAfter }) => {
        if (repository.get(head) === undefined) return { kind: "unknown", reason: `there is no commit ${head}` };
        const { conflicts } = repository.merge(baseHead, head, startsAfter);
        return conflicts.length === 0 ? { kind: "clean" } : { kind: "conflict", files: conflicts };
      },
      findOwnStart: async (_project, { head, baseHead, landed }) => {
        const [start, left] = [repository.mergeBase(landed, head), repository.mergeBase(baseHead, head)];
        if (start === null || left === null || start === left) return null;
        return repository.history(start).some(({ id }) => id === left) ? start : null;
      },
      ensureChange: async ({ branch, head, after }) => {
        if (repository.head(branch) === null) throw new Error(`There is no branch ${branch}.`);
        const known = pulls.find((pull) => pull.number > after && pull.branch === branch && pull.head === head);
        if (known !== undefined) return { number: known.number, url: null };
        const number = Math.max(after, pulls.length) + 1;
        pulls.push({ number, branch, head });
        return { number, url: null };
      },
      merge,
      buildMerges: async (requests, { base }) => {
        const built: BuiltMerge[] = [];
        let tip = base;
        for (const request of requests) {
          const { conflicts, tree } = repository.merge(tip, request.head, request.startsAfter);
          if (conflicts.length > 0) return { built, conflicts };
          const commits = ahead(request.branch, request.base);
          tip = buildMerge(repository, request, { baseBefore: tip, tree, commits });
          const own = repository.get(request.head)?.tree ?? new Map();
          built.push({
            commit: tip,
            isHeadTree: isSameTree(tree, own),
            since: firstParents(repository, base, request.head),
          });
        }
        return { built, conflicts: [] };
      },
      releaseBatch: async () => undefined,
      hasCommit: async (_project, commit) => repository.get(commit) !== undefined,
      revertMerge: async (request) => revert(repository, request),
      reconcileMerge: async (request) => {
        const value = mergedBefore(repository, request);
        return value === null ? { kind: "not-done" } : { kind: "done", value };
      },
      deleteBranch: async (project, branch, head) => {
        const now = repository.head(branch);
        if (now === null) return { deleted: true, reason: "it was deleted" };
        if (branch === project.defaultBranch) return { deleted: false, reason: "it is the default branch" };
        if (now !== head) return { deleted: false, reason: "it has moved" };
        repository.refs.delete(`refs/heads/${branch}`);
        return { deleted: true, reason: "deleted" };
      },
      countChanges: async (_project, { head, base }) => {
        const from = repository.get(repository.mergeBase(base, head) ?? "")?.tree ?? new Map();
        const lines = diffTrees(from, repository.get(head)?.tree ?? new Map()).split("\n");
        const count = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
        const paths = lines.flatMap((line) => /^diff --git a\/(.*) b\//.exec(line)?.[1] ?? []);
        return { added: count("+"), removed: count("-"), files: count("diff "), paths };
      },
      countLines: async (_project, commit, path) => {
        const text = repository.get(commit)?.tree.get(path);
        if (text === undefined) return null;
        return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
      },
      readVersions: async (_project, { head, base, paths }) => {
        const read = (commit: string | null, path: string) => repository.get(commit ?? "")?.tree.get(path) ?? null;
        const fork = repository.mergeBase(base, head);
        return paths.map((path) => ({
          path,
          base: read(base, path),
          before: read(fork, path),
          after: read(head, path),
        }));
      },
      diff: async (_project, head, base) => {
        const other = repository.head(base) ?? base;
        const from = repository.get(repository.mergeBase(other, head) ?? "")?.tree ?? new Map();
        return diffTrees(from, repository.get(head)?.tree ?? new Map());
      },
      runCheck: checks.run,
      readCheckLog: checks.readLog,
    },
  };
}

function isSameTree(one: FakeCommit["tree"], other: FakeCommit["tree"]): boolean {
  return one.size === other.size && [...one].every(([name, text]) => other.get(name) === text);
}

/** Commits of the base that a head lacks, oldest first. */
function firstParents(repository: FakeRepository, base: string, head: string): readonly string[] {
  const known = new Set(repository.history(head).map(({ id }) => id));
  const commits: string[] = [];
  for (let id: string | undefined = base; id !== undefined && !known.has(id); id = repository.get(id)?.parents[0])
    commits.unshift(id);
  return commits;
}

function revert(repository: FakeRepository, { merged, number, base }: MergeRevert): MergeRevertAnswer {
  const now = repository.head(base) ?? "";
  const subject = `Revert #${number} ${merged.commit}`;
  const done = repository.history(now).find((commit) => commit.subject === subject);
  if (done !== undefined) return { kind: "reverted", commit: done.id };
  const [made, before] = [treeOf(repository, merged.commit), treeOf(repository, merged.baseBefore)];
  const tree = new Map(treeOf(repository, now));
  const touched = [...new Set([...made.keys(), ...before.keys()])].filter(
    (name) => made.get(name) !== before.get(name),
  );
  const later = touched.find((name) => tree.get(name) !== made.get(name));
  if (later !== undefined) return { kind: "not-reverted", reason: `Later changes in ${later} build on it.` };
  for (const name of touched) {
    const old = before.get(name);
    if (old === undefined) tree.delete(name);
    else tree.set(name, old);
  }
  const { id } = repository.commit({ parents: [now], tree, subject });
  repository.setHead(base, id);
  return { kind: "reverted", commit: id };
}

function treeOf(repository: FakeRepository, id: string): FakeCommit["tree"] {
  return repository.get(id)?.tree ?? new Map();
}

function mergedBefore(repository: FakeRepository, { number, head }: MergeRequest): MergeAnswer | null {
  const commit = repository.refs.get(`refs/ao/merge/${number}`);
  if (commit === undefined || repository.refs.get(`refs/ao/merged/${number}`) !== head) return null;
  return { kind: "merged", commit, baseBefore: repository.refs.get(`refs/ao/merge-base/${number}`) ?? "" };
}

interface Merge {
  readonly baseBefore: string;
  readonly tree: FakeCommit["tree"];
  /** Newest first. */
  readonly commits: readonly FakeCommit[];
}

function buildMerge(repository: FakeRepository, request: MergeRequest, { baseBefore, tree, commits }: Merge): string {
  const subject = `${request.title} (#${request.number})`;
  const at = request.requestedAt;
  if (request.strategy === "squash") return repository.commit({ parents: [baseBefore], tree, subject }, at).id;
  if (request.strategy === "merge") {
    return repository.commit({ parents: [baseBefore, request.head], tree, subject }, at).id;
  }
  return [...commits].reverse().reduce((parent, commit, index) => {
    const result = index === commits.length - 1 ? tree : repository.merge(parent, commit.id).tree;
    return repository.commit({ parents: [parent], tree: result, subject: commit.subject }, at).id;
  }, baseBefore);
}
