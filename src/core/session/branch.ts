import type { SessionEvent } from "./events.ts";
import type { BranchSeen, LineCount, SessionState, Uncommitted } from "./state.ts";

type Seen = Extract<SessionEvent, { readonly type: "branch.seen" }>;

/** The branch's commit, and whether the turn that just ended left uncommitted changes. */
export function seeBranch(state: SessionState, event: Seen, at: number): BranchSeen {
  const { turn, head, ahead } = event;
  const last = state.branchSeen;
  const uncommitted = event.uncommitted ?? (event.uncommitted === null ? null : (last?.uncommitted ?? null));
  const tree = uncommitted?.tree ?? "";
  const before = last?.turnEnd ?? { head: last?.head ?? state.workspace.head ?? "", tree: "" };
  const seen = { turn, head, ahead, at, uncommitted, ...linesOf(event, last) };
  if (turn <= (last?.turn ?? 0)) {
    const isForgotten = last?.isForgotten === true && tree !== "" && head === last.head;
    // A commit during a turn is part of what that turn did.
    return { ...seen, isForgotten, turnEnd: isResting(state) ? { head, tree } : before };
  }
  // What was left next to a commit was left on purpose; the same files are not asked about after every turn.
  const isNew = tree !== before.tree || last?.isForgotten === true;
  return { ...seen, isForgotten: tree !== "" && head === before.head && isNew, turnEnd: { head, tree } };
}

// An observation without a count keeps the numbers of the same commit.
function linesOf(event: Seen, last: BranchSeen | null): Pick<BranchSeen, "lines"> {
  const lines = event.lines ?? (event.head === last?.head ? last.lines : undefined);
  return lines === undefined ? {} : { lines };
}

function isResting({ turn, activity }: SessionState): boolean {
  return turn === null && activity.state !== "working";
}

/** The size of a branch's changes, if counted for this commit; else null. */
export function countedLines({ branchSeen }: SessionState, head: string): LineCount | null {
  return branchSeen?.head === head ? (branchSeen.lines ?? null) : null;
}

/** How many files of a session's workspace are uncommitted, as far as known. */
export function countUncommitted({ phase, branchSeen }: SessionState): number {
  return phase === "open" ? (branchSeen?.uncommitted?.count ?? 0) : 0;
}

/** A number of uncommitted files, in words. */
export function describeUncommitted({ count }: Pick<Uncommitted, "count">): string {
  return count === 1 ? "1 file not committed" : `${count} files not committed`;
}
