import type { MergeAnswer, MergeRequest } from "../../../ports/scm.ts";
import type { ReconcileAnswer } from "../../../ports/workspace.ts";
import { failure } from "../../../providers/git/failure.ts";
import { repositoryLane } from "../../../providers/git/lane.ts";
import { isAncestor, type RefCommits, readRefs } from "../../../providers/git/refs.ts";
import { findCommonDir } from "../../../providers/git/repository.ts";
import { type Checkout, holdersOf, listCheckouts } from "../../../providers/git/scm/checkout.ts";
import { findMergeTreeObstacle } from "../../../providers/git/scm/git-version.ts";
import { refsOf } from "../../../providers/git/scm/names.ts";
import { missingBase } from "../../../providers/git/scm/read-branch.ts";
import { isBranchName } from "../../../providers/git/scm/read-head.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { build } from "./build.ts";
import type { Build } from "./commit-tree.ts";
import { moveOf, moveRefs, noteMove, type Stale } from "./move-refs.ts";
import { settleAll } from "./settle.ts";
import { findWait, type Moved, takeAlong } from "./take-along.ts";
import { listTouched } from "./touched.ts";
import { findReplaced } from "./verify-objects.ts";

/** How often to retry if others keep moving the base. */
const TRIES = 5;

/** Merges a change, or reports what prevents it; one at a time per repository. */
export async function merge(tools: ScmTools, request: MergeRequest): Promise<MergeAnswer> {
  await requireMergeTree(tools, request);
  return inLane(tools, request, () => whileStale(request, () => tryOnce(tools, request)));
}

type Waits = Extract<MergeAnswer, { readonly kind: "waits" }>;

async function whileStale<T extends { readonly kind: string }>(
  { base }: MergeRequest,
  once: () => Promise<T | Stale>,
): Promise<T | Waits> {
  for (let tries = 1; ; tries += 1) {
    const answer = await once();
    if (!isStale(answer)) return answer;
    if (tries === TRIES) return { kind: "waits", reason: describeStale(base, answer), files: [] };
  }
}

function isStale(answer: { readonly kind: string }): answer is Stale {
  return answer.kind === "stale";
}

function describeStale(base: string, { lock }: Stale): string {
  return lock === null ? `${base} keeps moving` : `another git command is moving ${base}; if none is, remove ${lock}`;
}

/** Another way to move a base than merging: what shows that it was already done, and what the base becomes. */
export interface BaseMove {
  findDone(base: string): Promise<string | null>;
  build(base: string): Promise<Build>;
}

type Settled = Extract<MergeAnswer, { readonly kind: "merged" | "waits" | "conflict" }>;

/** Moves the base of a change with the same care as a merge. */
export async function moveBase(tools: ScmTools, request: MergeRequest, how: BaseMove): Promise<Settled> {
  await requireMergeTree(tools, request);
  return inLane(tools, request, () =>
    whileStale<Settled>(request, async () => {
      const checkouts = await listCheckouts(tools, request.project.path);
      await settleAll(tools, checkouts);
      const base = baseOf(request, await readState(tools, request));
      const done = await how.findDone(base);
      if (done !== null) return { kind: "merged", commit: done, baseBefore: base };
      const built = await how.build(base);
      return built.kind === "conflict" ? built : moveTo(tools, request, { base, built, checkouts });
    }),
  );
}

/** Throws if git is too old to merge in memory. */
export async function requireMergeTree(tools: ScmTools, { number }: MergeRequest): Promise<void> {
  const obstacle = await findMergeTreeObstacle(tools);
  if (obstacle === null) return;
  const hint = "Install git 2.38 or newer (git-scm.com).";
  throw failure("git-too-old", "config", { message: `#${number} cannot be merged: ${obstacle}.`, hint });
}

/** After a crash: has the merge happened? First finishes or undoes what it left half-done in a checkout. */
export function reconcileMerge(tools: ScmTools, request: MergeRequest): Promise<ReconcileAnswer<MergeAnswer>> {
  return inLane(tools, request, async () => {
    await settleAll(tools, await listCheckouts(tools, request.project.path));
    const done = await findMerged(tools, request, await readState(tools, request));
    return done === null ? { kind: "not-done" } : { kind: "done", value: done };
  });
}

async function inLane<T>(tools: ScmTools, request: MergeRequest, work: () => Promise<T>): Promise<T> {
  return repositoryLane(await findCommonDir(tools.host.fs, request.project.path), work);
}

async function tryOnce(tools: ScmTools, request: MergeRequest): Promise<MergeAnswer | Stale> {
  const checkouts = await listCheckouts(tools, request.project.path);
  await settleAll(tools, checkouts);
  const refs = await readState(tools, request);
  const done = await findMerged(tools, request, refs);
  if (done !== null) return done;
  const head = refs.get(`refs/heads/${request.branch}`) ?? null;
  if (head !== request.head) return { kind: "moved", head };
  const base = baseOf(request, refs);
  if (request.exact !== undefined && request.exact.base !== base) return { kind: "base-moved", head: base };
  const [built, replaced] = await Promise.all([
    request.exact === undefined ? build(tools, request, base) : builtBefore(tools, request),
    findReplaced(tools, request.project.path, { base, commits: commitsOf(request) }),
  ]);
  if (built.kind === "lost" || built.kind === "conflict") return built;
  if (replaced !== null) return { kind: "waits", reason: replaced, files: [] };
  return moveTo(tools, request, { base, built, checkouts });
}

function commitsOf({ head, exact }: MergeRequest): readonly string[] {
  return exact === undefined ? [head] : [head, exact.commit];
}

async function moveTo(tools: ScmTools, request: MergeRequest, ready: Ready): Promise<Settled | Stale> {
  const moved = await move(tools, request, ready);
  return typeof moved === "string" ? { kind: "merged", commit: moved, baseBefore: ready.base } : moved;
}

async function builtBefore(
  tools: ScmTools,
  { project, exact }: MergeRequest,
): Promise<Build | Extract<MergeAnswer, { readonly kind: "lost" }>> {
  const commit = exact?.commit ?? "";
  const args = ["rev-parse", "-q", "--verify", `${commit}^{tree}`];
  const { code, stdout } = await tools.git({ cwd: project.path, args, okCodes: [0, 1, 128] });
  // Somebody pruned it, with its ref.
  if (code !== 0) return { kind: "lost" };
  return { kind: "ready", tree: stdout.trim(), commit: async () => commit };
}

interface Ready {
  readonly base: string;
  readonly built: Extract<Build, { readonly kind: "ready" }>;
  readonly checkouts: readonly Checkout[];
}

/** Moves the base, with its checkout if there is one; returns the new commit. */
async function move(
  tools: ScmTools,
  request: MergeRequest,
  { base, built, checkouts }: Ready,
): Promise<string | Exclude<Moved, { readonly kind: "moved" }>> {
  const cwd = request.project.path;
  const ref = `refs/heads/${request.base}`;
  const holders = holdersOf(checkouts, ref);
  const [holder, second] = holders;
  if (second !== undefined) {
    const reason = `${request.base} is checked out in more than one folder (${holders.map(({ path }) => path).join(", ")}); switch all but one to another branch`;
    return { kind: "waits", reason, files: [] };
  }
  const touched = holder === undefined ? [] : await listTouched(tools, cwd, { from: base, to: built.tree });
  const wait = holder === undefined ? null : await findWait(tools, holder, { move: { ref, from: base }, touched });
  if (wait !== null) return wait;
  const commit = await built.commit();
  const wanted = moveOf(request, base, commit);
  await noteMove(tools, cwd, wanted);
  if (holder === undefined) return (await moveRefs(tools, cwd, wanted)) ?? commit;
  const moved = await takeAlong(tools, holder, { move: wanted, touched });
  return moved.kind === "moved" ? commit : moved;
}

async function readState(tools: ScmTools, request: MergeRequest): Promise<RefCommits> {
  const { built, from, merged } = refsOf(request.number);
  const branches = [request.base, request.branch].filter(isBranchName).map((name) => `refs/heads/${name}`);
  return readRefs(tools.git, request.project.path, [...branches, built, from, merged]);
}

function baseOf(request: MergeRequest, refs: RefCommits): string {
  const base = refs.get(`refs/heads/${request.base}`);
  if (base === undefined) throw missingBase(request.project, request.base);
  return base;
}

// A squash leaves no trace of the head in the base, so it looks for the commit that was built for it.
async function findMerged(tools: ScmTools, request: MergeRequest, refs: RefCommits): Promise<MergeAnswer | null> {
  const cwd = request.project.path;
  const base = baseOf(request, refs);
  const names = refsOf(request.number);
  const [built, from] = [refs.get(names.built), refs.get(names.from)];
  if (refs.get(names.merged) === request.head && built !== undefined && from !== undefined) {
    if (await isAncestor(tools.git, cwd, { commit: built, of: base }))
      return { kind: "merged", commit: built, baseBefore: from };
  }
  const known = await tools.git({ cwd, args: ["cat-file", "-e", `${request.head}^{commit}`], okCodes: [0, 1, 128] });
  if (known.code !== 0 || !(await isAncestor(tools.git, cwd, { commit: request.head, of: base }))) return null;
  return { kind: "merged", commit: base, baseBefore: base };
}
