import type { SessionState } from "../core/session/state.ts";
import { hasOpenChange } from "../core/world.ts";
import type { Activity } from "./activity.ts";
import { createCoalescer } from "./coalesce.ts";
import { compareBranch } from "./compare-branch.ts";
import { countChanges } from "./count-changes.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";

const POLL_MS = 15_000;

export interface BranchObserver {
  /** Reads one session's branch and its project's base now. */
  inspect(sessionId: string): Promise<void>;
  close(): void;
}

/** Notices commits made outside a turn, by people or on the base. Starts a process only if something moved. */
export function createBranchObserver(loop: Loop, deps: EffectDeps, activity: Activity): BranchObserver {
  const world = loop.world.view;

  const inspectBranch = async (sessionId: string): Promise<void> => {
    const session = world.session(sessionId);
    if (session === undefined || !isResting(session)) return;
    const project = deps.scmProjectOf(session.projectId);
    const scm = deps.scmOf(session.projectId);
    const head = await scm.readHead(project, session.branch);
    if (head === null || head === session.branchSeen?.head) return;
    const facts = await compareBranch(scm, project, session);
    if (facts === null || facts.head === session.branchSeen?.head) return;
    const lines = await countChanges({ scm, project, session, branch: facts });
    await loop.submit({ input: { type: "branch.moved", sessionId: session.id, facts: { ...facts, ...lines } } });
  };

  const inspectBase = async (projectId: string): Promise<void> => {
    const project = deps.scmProjectOf(projectId);
    const head = await deps.scmOf(projectId).readHead(project, project.defaultBranch);
    if (head === null || head === world.project(projectId)?.baseHead) return;
    await loop.submit({ input: { type: "base.moved", projectId, head } });
  };

  // Concurrent callers share a read.
  const branches = createCoalescer(inspectBranch, activity);
  const bases = createCoalescer(inspectBase, activity);

  const inspect = async (sessionId: string): Promise<void> => {
    const session = world.session(sessionId);
    if (session === undefined || !hasOpenChange(world, sessionId)) return;
    await branches.request(sessionId);
    await bases.request(session.projectId);
  };

  // One unreadable repository must not hide what happened in the others.
  const inspectAll = async (): Promise<void> => {
    const open = [...world.activeChanges()].filter(({ phase }) => phase === "open");
    const warn = (error: unknown): void => deps.host.log.warn("a branch could not be read", { reason: String(error) });
    for (const { sessionId } of open) if (sessionId !== null) await branches.request(sessionId).catch(warn);
    for (const id of new Set(open.map(({ projectId }) => projectId))) await bases.request(id).catch(warn);
  };

  const stop = repeat({ clock: deps.host.clock, activity, pauseMs: POLL_MS, work: inspectAll });
  return {
    inspect,
    close: () => {
      branches.close();
      bases.close();
      stop();
    },
  };
}

// During a turn a commit may be incomplete work; it is read when the turn ends.
function isResting(session: SessionState): boolean {
  return session.turn === null && session.activity.state !== "working" && session.turns === session.branchSeen?.turn;
}
