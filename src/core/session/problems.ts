import type { ProjectPolicy } from "../policy.ts";
import { type ProblemOwner, ruleFor } from "../reaction/settle-problems.ts";
import type { Sight, Sights } from "../reaction/sight.ts";
import { sessionStream } from "../stream.ts";
import { isPaused, type World } from "../world.ts";
import { isOnItsWay, type SessionState } from "./state.ts";
import { deriveStatus } from "./status.ts";

/** A session as the owner of its problems. */
export function sessionOwner(world: World, session: SessionState): ProblemOwner {
  return {
    stream: sessionStream(session.id),
    projectId: session.projectId,
    title: session.title,
    name: session.id,
    session,
    problems: session.problems,
    reactions: session.reactions,
    head: session.branchSeen?.head ?? "",
    paused: isPaused(world, session.projectId),
  };
}

/** What is wrong with an agent: it waits for a person, is gone, does nothing, or is not heard of. */
export function findSessionProblems(
  session: SessionState,
  policy: ProjectPolicy,
  facts: { readonly hasChange: boolean; readonly watchedSince: number; readonly paused: boolean },
  now: number,
): Sights & { readonly wakeAt: number | null } {
  const none = { open: [], unclear: () => false, wakeAt: null };
  if (session.phase !== "open") return none;
  const open: Sight[] = [];
  const { question } = session;
  if (question !== null && question.answeredBy === null) {
    open.push(sight(session, "agent-needs-input", question.id, `asks: ${question.question.slice(0, 200)}`, 0));
  }
  const shown = deriveStatus(session, { paused: facts.paused });
  if (shown.status === "exited" && shown.state === "error") {
    open.push(sight(session, "agent-exited", `run ${session.run.n}`, shown.evidence.slice(0, 200), 0));
  }
  const quiet = quietSight(session, policy, facts, now);
  if (quiet !== null && quiet.dueAt <= now) open.push(quiet.sight);
  return { open, unclear: () => false, wakeAt: quiet !== null && quiet.dueAt > now ? quiet.dueAt : null };
}

// Quiet times count only while somebody watched.
function quietSight(
  session: SessionState,
  policy: ProjectPolicy,
  facts: { readonly hasChange: boolean; readonly watchedSince: number; readonly paused: boolean },
  now: number,
): { readonly sight: Sight; readonly dueAt: number } | null {
  if (facts.paused || session.question !== null || session.workspace.state !== "ready") return null;
  const isBusy = session.run.state === "alive" && session.activity.state === "working";
  const isIdle = session.activity.state === "idle" && session.turns > 0;
  if (!isBusy && (!isIdle || facts.hasChange || session.messages.some((one) => isOnItsWay(one, session.input)))) {
    return null;
  }
  const key = isBusy ? "agent-stuck" : "agent-idle";
  const threshold = ruleFor(policy, key).thresholdMs;
  if (threshold === null) return null;
  const since = Math.max(session.activity.at, facts.watchedSince);
  const minutes = Math.max(1, Math.round((now - since) / 60_000));
  const text = isBusy ? "nothing was heard of its agent" : "its agent is idle, and there is no pull request";
  return { sight: sight(session, key, `since ${since}`, text, minutes), dueAt: since + threshold };
}

function sight(session: SessionState, key: string, occurrence: string, text: string, minutes: number): Sight {
  return {
    id: key,
    key,
    occurrence,
    text,
    variables: () => ({ session: session.id, title: session.title, branch: session.branch, minutes: String(minutes) }),
  };
}
