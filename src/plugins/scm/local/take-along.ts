import { failure, tailOf } from "../../../providers/git/failure.ts";
import type { Checkout } from "./checkout.ts";
import { filesOf, lockIndex, markOf, unlockIndex } from "./journal.ts";
import { type Move, moveRefs } from "./move-refs.ts";
import { sayNames } from "./names.ts";
import { findOverlap, type Touched } from "./overlap.ts";
import { settle } from "./settle.ts";
import type { ScmTools } from "./tools.ts";

export type Moved =
  | { readonly kind: "moved" }
  /** The base is not where it was; build again. */
  | { readonly kind: "stale" }
  | { readonly kind: "waits"; readonly reason: string; readonly files: readonly string[] };

/** Why a base must not move now because of the one checkout that holds it; null when it may. */
export async function findWait(
  tools: ScmTools,
  checkout: Checkout,
  move: Pick<Move, "ref" | "from">,
  touched: readonly Touched[],
): Promise<Extract<Moved, { readonly kind: "waits" }> | null> {
  const branch = move.ref.replace(/^refs\/heads\//, "");
  if (checkout.operation !== null) {
    const reason = `${checkout.operation} is in progress in ${checkout.path}, where ${branch} is checked out; finish or abort it there`;
    return { kind: "waits", reason, files: [] };
  }
  const files = await findOverlap(tools, checkout, move.from, touched);
  if (files.length === 0) return null;
  const reason = `${checkout.path} has changes of yours in files that the merge touches (${sayNames(files)}); commit, stash or move them away there`;
  return { kind: "waits", reason, files };
}

/**
 * Moves a base that is checked out, and its checkout with it, in the order in which git fast-forwards: files, index, ref.
 * Whatever stops it half-way, `settle` finishes or undoes it.
 */
export async function takeAlong(
  tools: ScmTools,
  checkout: Checkout,
  move: Move,
  touched: readonly Touched[],
): Promise<Moved> {
  if (!(await lockIndex(tools, checkout, move))) {
    const { lock } = filesOf(checkout.gitDir);
    const reason = `another git command is at work in ${checkout.path}; if none is, remove ${lock}`;
    return { kind: "waits", reason, files: [] };
  }
  const step = await advance(tools, checkout, move).catch(async (error: unknown) => {
    await settle(tools, checkout, move);
    throw error;
  });
  if (step.kind === "overtaken" || step.kind === "failed") await settle(tools, checkout, move);
  else await unlockIndex(tools, checkout);
  if (step.kind === "moved") return step;
  if (step.kind === "failed") {
    const message = `The files of #${move.number} could not be written in ${checkout.path}: ${step.reason}`;
    throw failure("git-failed", "unavailable", { message, hint: "Nothing was changed; look at that folder." });
  }
  return (await findWait(tools, checkout, move, touched)) ?? { kind: "stale" };
}

type Step =
  | { readonly kind: "moved" }
  /** Git looked first and touched nothing. */
  | { readonly kind: "refused" }
  /** Files and index are there, but the base was moved by others. */
  | { readonly kind: "overtaken" }
  | { readonly kind: "failed"; readonly reason: string };

async function advance(tools: ScmTools, checkout: Checkout, move: Move): Promise<Step> {
  if (!(await isStillThere(tools, checkout, move))) return { kind: "refused" };
  const stopped = await updateFiles(tools, checkout, move);
  if (stopped !== null) return stopped;
  const { index, newIndex } = filesOf(checkout.gitDir);
  await tools.host.fs.rename(newIndex, index);
  return (await moveRefs(tools, checkout.path, move)) ? { kind: "moved" } : { kind: "overtaken" };
}

// Asked again under the lock, since a commit or a switch of branches may have come first.
async function isStillThere(tools: ScmTools, checkout: Checkout, move: Move): Promise<boolean> {
  const args = ["for-each-ref", "--format=%(HEAD) %(objectname) %(refname)", move.ref];
  const { stdout } = await tools.git({ cwd: checkout.path, args });
  return stdout.split("\n").includes(`* ${move.from} ${move.ref}`);
}

// What git says when it finds something of a person's before it has written the first file.
const REFUSAL = /Cannot merge|not uptodate|would be (?:overwritten|removed) by|would lose untracked files/;

// Works on a copy of the index: the real one stays as it is until all files are there. Null: all went well.
async function updateFiles(tools: ScmTools, checkout: Checkout, move: Move): Promise<Step | null> {
  const files = filesOf(checkout.gitDir);
  await tools.host.fs.remove(files.newIndex);
  if ((await tools.host.fs.stat(files.index)) !== null) await tools.host.fs.copy(files.index, files.newIndex);
  const env = { GIT_INDEX_FILE: files.newIndex, AO_INTENT: markOf(checkout) };
  const git = (args: readonly string[]): ReturnType<ScmTools["git"]> =>
    tools.git({ cwd: checkout.path, args, env, okCodes: [0, 1, 128] });
  // A file that was merely touched is not a change; read-tree itself does not look closely.
  await git(["update-index", "-q", "--refresh"]);
  const { code, stderr } = await git(["read-tree", "-m", "-u", move.from, move.to]);
  if (code === 0) return null;
  return REFUSAL.test(stderr) ? { kind: "refused" } : { kind: "failed", reason: tailOf(stderr, 2, 300) };
}
