import type { AnyEvent } from "../event.ts";
import { type CheckLane, evolveChecks, NO_CHECKS } from "./check-lane.ts";
import { enter, type Segment } from "./segment.ts";

/** What an agent did, or waited for, during a time span. `review`: its pull request is green and waits for a person. */
export const AGENT_KINDS = ["working", "question", "review", "idle", "rate-limited", "no-signal", "queued"] as const;

export type AgentKind = (typeof AGENT_KINDS)[number];

/** A session on the time axis: its agent, and the checks of its pull request. */
export interface Track {
  readonly agent: readonly Segment<AgentKind>[];
  readonly checks: CheckLane;
  readonly mergedAt: number | null;
  /** What the agent does, whether or not its pull request waits for a person; null: it is over. */
  readonly doing: Exclude<AgentKind, "review"> | null;
}

export const NO_TRACK: Track = { agent: [], checks: NO_CHECKS, mergedAt: null, doing: null };

/**
 * Applies one event of a session or of its pull request. Events that are irrelevant to the time axis change nothing.
 */
export function evolveTrack(track: Track, event: AnyEvent, at: number): Track {
  const doing = doingAfter(track.doing, event);
  const checks = evolveChecks(track.checks, event, at);
  const mergedAt = event.type === "change.merged" ? at : event.type === "change.opened" ? null : track.mergedAt;
  if (doing === track.doing && checks === track.checks && mergedAt === track.mergedAt) return track;
  return { doing, checks, mergedAt, agent: enter(track.agent, shownAs(doing, checks), at) };
}

function shownAs(doing: Track["doing"], checks: CheckLane): AgentKind | null {
  return doing === "idle" && checks.now === "passing" ? "review" : doing;
}

function doingAfter(before: Track["doing"], event: AnyEvent): Track["doing"] {
  switch (event.type) {
    case "session.requested":
    case "session.restore-requested":
      return before === null || event.type === "session.requested" ? "queued" : before;
    case "session.admitted":
    case "agent.answered":
    case "question.withdrawn":
      return "working";
    case "message.accepted":
      return event.by === "received" ? "working" : "idle";
    case "agent.reported":
      return event.state === "waiting" ? "question" : event.state;
    case "agent.asked":
      return "question";
    case "agent.limited":
      return "rate-limited";
    case "agent.finished":
    case "agent.errored":
      return "idle";
    case "problem.seen":
      return event.id === "agent-stuck" ? "no-signal" : before;
    case "problem.gone":
      return event.id === "agent-stuck" && before === "no-signal" ? "working" : before;
    case "session.stopped":
      return null;
    default:
      return before;
  }
}
