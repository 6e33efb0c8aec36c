import { join } from "node:path";
import type { Checkout } from "../../../providers/git/scm/checkout.ts";
import { sayNames } from "../../../providers/git/scm/names.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { filesOf, lockIndex, markOf, unlockIndex } from "./journal.ts";
import { type Move, moveRefs, type Stale } from "./move-refs.ts";
import { findOverlap } from "./overlap.ts";
import { keepLateWrites, lookAt, placeFiles } from "./place-files.ts";
import { settle } from "./settle.ts";
import type { Touched } from "./touched.ts";

export type Moved =
  | { readonly kind: "moved" }
  /** Build again, on the base as it is then. */
  | Stale
  | { readonly kind: "waits"; readonly reason: string; readonly files: readonly string[] };

/** Why a base must not move now because of its checkout; null if it may. */
export async function findWait(
  tools: ScmTools,
  checkout: Checkout,
  { move, touched }: { readonly move: Pick<Move, "ref" | "from">; readonly touched: readonly Touched[] },
): Promise<Extract<Moved, { readonly kind: "waits" }> | null> {
  const branch = move.ref.replace(/^refs\/heads\//, "");
  if (checkout.operation !== null) {
    const reason = `${checkout.operation} is in progress in ${checkout.path}, where ${branch} is checked out; finish or abort it there`;
    return { kind: "waits", reason, files: [] };
  }
  const files = await findOverlap(tools, checkout, { head: move.from, touched });
  if (files.length === 0) return null;
  const reason = `${checkout.path} has your own changes in files that the merge touches (${sayNames(files)}); commit, stash or move them`;
  return { kind: "waits", reason, files };
}

/**
 * Moves a checked-out base together with its checkout, in the order of a git fast-forward: files, index, ref. If
 * anything stops it halfway, `settle` finishes or undoes it.
 */
export async function takeAlong(
  tools: ScmTools,
  checkout: Checkout,
  { move, touched }: { readonly move: Move; readonly touched: readonly Touched[] },
): Promise<Moved> {
  if (!(await lockIndex(tools, checkout, move))) {
    const { lock } = filesOf(checkout);
    const reason = `another git command is at work in ${checkout.path}; if none is, remove ${lock}`;
    return { kind: "waits", reason, files: [] };
  }
  const step = await advance(tools, checkout, { move, touched }).catch(async (error: unknown) => {
    await settle(tools, checkout, move);
    throw error;
  });
  if (step.kind === "moved") return step;
  await settle(tools, checkout, move);
  return (await findWait(tools, checkout, { move, touched })) ?? step;
}

const STOPPED: Stale = { kind: "stale", lock: null };

async function advance(
  tools: ScmTools,
  checkout: Checkout,
  { move, touched }: { readonly move: Move; readonly touched: readonly Touched[] },
): Promise<Stale | Extract<Moved, { readonly kind: "moved" }>> {
  if (!(await isStillThere(tools, checkout, move))) return STOPPED;
  // Before git compares: any change from here on is noticed either by git or by comparing the file.
  const there = touched.filter((one) => one.change === "changed" || one.change === "deleted").map((one) => one.path);
  const before = await lookAt(tools, checkout.path, there);
  const git = await prepareIndex(tools, checkout, move);
  if (git === null) return STOPPED;
  const { staging, index, newIndex } = filesOf(checkout);
  const coming = touched.filter((one) => one.entry !== null).map((one) => one.path);
  const ready = `--prefix=${staging}/new/`;
  await git(
    ["checkout-index", "-q", "-f", "-z", "--ignore-skip-worktree-bits", "--stdin", ready],
    coming.map((path) => `${path}\0`).join(""),
  );
  const placed = await lookAt(tools, join(staging, "new"), coming);
  if (!(await placeFiles(tools, checkout, { touched, before }))) return STOPPED;
  await git(["update-index", "-q", "--refresh"], "", [0, 1]);
  await tools.host.fs.rename(newIndex, index);
  const stale = await moveRefs(tools, checkout.path, move);
  if (stale !== null) return stale;
  await keepLateWrites(tools, checkout, { before, placed });
  await unlockIndex(tools, checkout);
  return { kind: "moved" };
}

// Checked again under the lock, because a commit or a branch switch may have come first.
async function isStillThere(tools: ScmTools, checkout: Checkout, move: Move): Promise<boolean> {
  const args = ["for-each-ref", "--format=%(HEAD) %(objectname) %(refname)", move.ref];
  const { stdout } = await tools.git({ cwd: checkout.path, args });
  return stdout.split("\n").includes(`* ${move.from} ${move.ref}`);
}

type GitHere = (args: readonly string[], stdin: string, okCodes?: readonly number[]) => ReturnType<ScmTools["git"]>;

// The new index is created next to the real one, which stays unchanged until all files are there. Null: git found a
// person's changes in the touched files.
async function prepareIndex(tools: ScmTools, checkout: Checkout, move: Move): Promise<GitHere | null> {
  const { index, newIndex, staging } = filesOf(checkout);
  const { fs } = tools.host;
  for (const path of [newIndex, staging]) await fs.remove(path);
  if ((await fs.stat(index)) !== null) await fs.copy(index, newIndex);
  const env = { GIT_INDEX_FILE: newIndex, AO_INTENT: markOf(checkout) };
  const git: GitHere = (args, stdin, okCodes) => tools.git({ cwd: checkout.path, args, stdin, env, okCodes });
  // A file that was merely touched is not a change; read-tree itself does not check closely.
  await git(["update-index", "-q", "--refresh"], "", [0, 1]);
  const { code } = await git(["read-tree", "-m", move.from, move.to], "", [0, 1, 128]);
  return code === 0 ? git : null;
}
