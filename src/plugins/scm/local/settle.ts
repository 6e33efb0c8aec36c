import { pollUntil } from "../../../ports/poll.ts";
import { failure } from "../../../providers/git/failure.ts";
import { splitNul } from "../../../providers/git/git.ts";
import { isAncestor, readRefs } from "../../../providers/git/refs.ts";
import type { Checkout } from "../../../providers/git/scm/checkout.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { filesOf, markOf, readJournal, unlockIndex } from "./journal.ts";
import { type Move, moveRefs } from "./move-refs.ts";
import { putBack, rollBack } from "./roll-back.ts";
import { listTouched } from "./touched.ts";

const OWN_GIT_LIMIT_MS = 120_000;

/** Finishes or undoes what a former daemon left half-done in any of these checkouts. */
export async function settleAll(tools: ScmTools, checkouts: readonly Checkout[]): Promise<void> {
  for (const checkout of checkouts) {
    const move = await readJournal(tools, checkout);
    if (move === null) continue;
    tools.host.log.warn("a merge stopped half-way; it is being settled", { path: checkout.path, number: move.number });
    await settle(tools, checkout, move);
  }
}

/**
 * Brings a checkout to one side or the other. Files come first, then the index, then the ref, so the index shows how
 * far it got: with the new index all files are there and only the ref is left; with the old one the files are rolled
 * back.
 */
export async function settle(tools: ScmTools, checkout: Checkout, move: Move): Promise<void> {
  await awaitOwnGit(tools, checkout);
  await putBack(tools, checkout, move);
  const head = (await readRefs(tools.git, checkout.path, [move.ref])).get(move.ref);
  const done = head !== undefined && (await isAncestor(tools.git, checkout.path, { commit: move.to, of: head }));
  if (!done && checkout.ref === move.ref) {
    if (!(await hasNewIndex(tools, checkout, move))) await rollBack(tools, checkout, move);
    else if (head !== move.from || (await moveRefs(tools, checkout.path, move)) !== null)
      await takeBack(tools, checkout, move);
  }
  await unlockIndex(tools, checkout);
}

// Git outlives the daemon that started it; it must finish writing first.
async function awaitOwnGit(tools: ScmTools, checkout: Checkout): Promise<void> {
  const { clock, processes } = tools.host;
  const isOver = async (): Promise<boolean> => (await processes.findByIntent(markOf(checkout))).length === 0;
  if (await pollUntil(clock, { everyMs: 50, timeoutMs: OWN_GIT_LIMIT_MS }, isOver)) return;
  const message = `A git command of an earlier merge still runs in ${checkout.path}.`;
  throw failure("git-failed", "unavailable", { message });
}

async function hasNewIndex(tools: ScmTools, checkout: Checkout, move: Move): Promise<boolean> {
  const touched = new Set(
    (await listTouched(tools, checkout.path, { from: move.from, to: move.to })).map((one) => one.path),
  );
  const args = ["diff-index", "--cached", "-z", "--name-only", "--no-renames", move.to, "--"];
  const differs = splitNul((await tools.git({ cwd: checkout.path, args })).stdout);
  return !differs.some((path) => touched.has(path));
}

// Someone moved the base at the last moment by other means: files and index are restored.
async function takeBack(tools: ScmTools, checkout: Checkout, move: Move): Promise<void> {
  const { index, newIndex } = filesOf(checkout);
  await tools.host.fs.remove(newIndex);
  await tools.host.fs.copy(index, newIndex);
  const env = { GIT_INDEX_FILE: newIndex, AO_INTENT: markOf(checkout) };
  const args = ["read-tree", "-m", "-u", move.to, move.from];
  const { code } = await tools.git({ cwd: checkout.path, args, env, okCodes: [0, 1, 128] });
  if (code === 0) await tools.host.fs.rename(newIndex, index);
  else tools.host.log.warn("the files of a merge that failed at the end stay staged", { path: checkout.path });
}
