import type { SessionState } from "../core/session/state.ts";
import { hasOpenChange } from "../core/world.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";

const POLL_MS = 15_000;

export interface BranchObserver {
  /** Looks at one session's branch and its project's base now. */
  inspect(sessionId: string): Promise<void>;
  close(): void;
}

/** Notices commits that were made outside of a turn, by people or on the base. Starts a process only when something moved. */
export function createBranchObserver(loop: Loop, deps: EffectDeps): BranchObserver {
  let cancel = (): void => undefined;
  const world = loop.world.view;

  const inspectBranch = async (session: SessionState): Promise<void> => {
    const project = deps.scmProjectOf(session.projectId);
    const scm = deps.scmOf(session.projectId);
    const head = await scm.readHead(project, session.branch);
    if (head === null || head === session.branchSeen?.head) return;
    const facts = await scm.readBranch(project, session.branch, project.defaultBranch);
    if (facts === null || facts.head === session.branchSeen?.head) return;
    const { baseHead, ahead } = facts;
    await loop.submit({
      input: { type: "branch.moved", sessionId: session.id, facts: { head: facts.head, baseHead, ahead } },
    });
  };

  const inspectBase = async (projectId: string): Promise<void> => {
    const project = deps.scmProjectOf(projectId);
    const head = await deps.scmOf(projectId).readHead(project, project.defaultBranch);
    if (head === null || head === world.project(projectId)?.baseHead) return;
    await loop.submit({ input: { type: "base.moved", projectId, head } });
  };

  const inspect = async (sessionId: string): Promise<void> => {
    const session = world.session(sessionId);
    if (session === undefined || !hasOpenChange(world, sessionId)) return;
    if (isResting(session)) await inspectBranch(session);
    await inspectBase(session.projectId);
  };

  const inspectAll = async (): Promise<void> => {
    const projects = new Set<string>();
    for (const change of world.changes()) {
      if (change.phase !== "open") continue;
      projects.add(change.projectId);
      const session = change.sessionId === null ? undefined : world.session(change.sessionId);
      if (session !== undefined && isResting(session)) await inspectBranch(session);
    }
    for (const projectId of projects) await inspectBase(projectId);
  };

  const poll = (): void => {
    cancel = deps.host.clock.after(POLL_MS, () => {
      inspectAll()
        .catch((error: unknown) => deps.host.log.warn("branches could not be read", { reason: String(error) }))
        .finally(poll);
    });
  };
  poll();
  return { inspect, close: () => cancel() };
}

// In the middle of a turn a commit may be half of something; it is read when the turn ends.
function isResting(session: SessionState): boolean {
  return session.turn === null && session.activity.state !== "working" && session.turns === session.branchSeen?.turn;
}
