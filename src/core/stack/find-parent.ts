import type { ChangeState } from "../change/state.ts";
import type { World } from "../world.ts";
import type { StackedOn } from "./parent.ts";

/** The work that another session builds on, as it stands now. */
export type ParentNow =
  /** It has no pull request yet. */
  | { readonly kind: "working"; readonly head: string | null }
  | { readonly kind: "open" | "merged" | "closed"; readonly change: ChangeState }
  /** Its session was stopped without a pull request. */
  | { readonly kind: "stopped"; readonly head: string | null };

/** Looks up what a session or pull request of a project is stacked on. */
export function findParent(world: World, projectId: string, on: StackedOn): ParentNow {
  const session = world.session(on.sessionId);
  const isOver = session === undefined || session.phase === "stopped";
  const live = pick(world.changesOn(projectId, on.branch), on);
  // A pull request leaves the live model only with its stopped session.
  const change = live ?? (isOver ? pick(world.archive.changesOn(projectId, on.branch), on) : null);
  if (change !== null) return { kind: change.phase, change };
  const head = session?.branchSeen?.head ?? session?.workspace.head ?? null;
  return { kind: isOver ? "stopped" : "working", head };
}

/** The highest number of a branch's pull requests that are over; 0: none. */
export function lastEnded(world: World, projectId: string, branch: string): number {
  const all = [...world.changesOn(projectId, branch), ...world.archive.changesOn(projectId, branch)];
  return Math.max(0, ...all.filter(({ phase }) => phase !== "open").map(({ number }) => number));
}

// The open one, else the newest that is over.
function pick(changes: Iterable<ChangeState>, { after = 0 }: StackedOn): ChangeState | null {
  let newest: ChangeState | null = null;
  for (const change of changes) {
    if (change.phase === "open") return change;
    if (change.number > after && change.number > (newest?.number ?? 0)) newest = change;
  }
  return newest;
}
