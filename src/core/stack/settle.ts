import type { ChangeState } from "../change/state.ts";
import { type Emitted, onChange, onSession } from "../event.ts";
import { inheritMark } from "../reaction/untrusted.ts";
import { isSame } from "../same.ts";
import type { SessionState } from "../session/state.ts";
import type { World } from "../world.ts";
import { findParent, type ParentNow } from "./find-parent.ts";
import { type Landed, nameParent, type Parent, type StackedOn } from "./parent.ts";

/** What follows for stacked work: it follows its parent, and moves to the default branch once that is merged. */
export function settleStacks(world: World): readonly Emitted[] {
  const events: Emitted[] = [];
  const sessions = new Set<SessionState>();
  for (const session of world.activeSessions()) if (session.stackedOn !== undefined) sessions.add(session);
  for (const change of world.activeChanges()) {
    if (change.phase !== "open" || change.stackedOn === undefined) continue;
    events.push(...settleChange(world, change, change.stackedOn));
    // Also one that is stopped: its pull request is still open.
    const session = change.sessionId === null ? undefined : world.session(change.sessionId);
    if (session !== undefined) sessions.add(session);
  }
  for (const session of sessions) events.push(...settleSession(world, session));
  return events;
}

function settleChange(world: World, change: ChangeState, on: Parent): readonly Emitted[] {
  const project = world.project(change.projectId);
  if (project === undefined || project.removed) return [];
  const parent = findParent(world, change.projectId, on);
  // A forge changes the base of its pull requests itself; ao follows what it sees there.
  if (parent.kind === "merged" && change.forge === undefined) {
    const { defaultBranch: base } = project;
    return onChange(change.key, { type: "change.retargeted", base, by: "ao", landed: landedOf(on, parent.change) });
  }
  const isRemote = change.forge !== undefined;
  const seen = describeParent(parent, on, { number: change.number, isRemote, base: project.defaultBranch });
  return isSame(seen, on) ? [] : onChange(change.key, { type: "change.stacked", on: seen });
}

function settleSession(world: World, session: SessionState): readonly Emitted[] {
  const { id, projectId, stackedOn: on } = session;
  if (on === undefined) return [];
  const read = world.session(on.sessionId)?.readUntrusted;
  if (read !== undefined && session.readUntrusted === undefined) {
    // What it builds on was written after untrusted text, and may repeat it.
    return onSession(id, inheritMark(read, on.sessionId));
  }
  const parent = findParent(world, projectId, on);
  return parent.kind === "merged" ? onSession(id, leaveParent(session, landedOf(on, parent.change))) : [];
}

/** The session's next pull request goes into the default branch; what it has of a merged parent is remembered. */
export function leaveParent(
  { workspace }: SessionState,
  landed: Landed | null,
): { readonly type: "session.retargeted"; readonly landed?: Landed } {
  // Without a workspace, the session has yet to start: from the default branch.
  const hasCommits = landed !== null && workspace.baseCommit !== null;
  return { type: "session.retargeted", ...(hasCommits ? { landed } : {}) };
}

/** A merged parent, with the commit that was merged. */
export function landedOf({ sessionId, branch }: StackedOn, { number, head }: ChangeState): Landed {
  return { sessionId, branch, number, head };
}

/** The parent of a pull request as it is now. */
export function describeParent(parent: ParentNow, { sessionId, branch, after }: StackedOn, child: Child): Parent {
  const on = { sessionId, branch, ...(after === undefined ? {} : { after }) };
  const facts =
    "change" in parent
      ? { number: parent.change.number, head: parent.change.head }
      : { number: null, head: parent.head };
  const gone = whyGone(parent, nameParent({ ...on, ...facts }), child);
  return { ...on, ...facts, ...(gone === null ? {} : { gone }) };
}

interface Child {
  readonly number: number;
  readonly isRemote: boolean;
  /** Where it goes without its parent. */
  readonly base: string;
}

function whyGone(parent: ParentNow, name: string, { number, isRemote, base }: Child): string | null {
  const own = `#${number}`;
  const move = isRemote
    ? `change the base of ${own} to ${base} on the forge`
    : `\`ao pr base "${own}" ${base}\` moves ${own} to ${base} with all of its commits`;
  switch (parent.kind) {
    case "working":
    case "open":
      return null;
    case "merged":
      // The forge changes the base when the branch is deleted there.
      if (parent.change.merged?.deleteAfter === true && parent.change.branchFate === null) return null;
      return `${name} is merged, but ${own} still goes into its branch: ${move}`;
    case "closed":
      return `${name} was closed without a merge: ${move}`;
    case "stopped":
      return `session ${name} was stopped without a pull request: \`ao restore ${name}\` continues it, or ${move}`;
  }
}
