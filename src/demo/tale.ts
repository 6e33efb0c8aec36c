import type { EventView } from "../protocol/views/event.ts";

/** What the log says about one session. */
export interface SessionTale {
  /** When its first agent started; null: not started. */
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
  /** A stop was requested, so an agent that ends now did not die. */
  readonly isStopping: boolean;
  readonly deaths: number;
  readonly answers: number;
  /** Commits on its branch that main lacks. */
  readonly commits: number;
}

/** What the log says about one pull request. */
export interface ChangeTale {
  readonly sessionId: string | null;
  readonly reds: number;
  readonly requests: number;
  readonly conflicts: number;
  readonly mergedAt: number | null;
  /** Its branch and issue have been handled after the merge. */
  readonly isBranchSettled: boolean;
  readonly isIssueSettled: boolean;
}

/** What has happened so far, as far as the demo reports it. */
export interface Tale {
  readonly sessions: Readonly<Record<string, SessionTale>>;
  readonly changes: Readonly<Record<string, ChangeTale>>;
}

/** The tale before any event. */
export const NO_TALE: Tale = { sessions: {}, changes: {} };

const NEW_SESSION: SessionTale = {
  startedAt: null,
  stoppedAt: null,
  isStopping: false,
  deaths: 0,
  answers: 0,
  commits: 0,
};

const NEW_CHANGE: ChangeTale = {
  sessionId: null,
  reds: 0,
  requests: 0,
  conflicts: 0,
  mergedAt: null,
  isBranchSettled: false,
  isIssueSettled: false,
};

/** The tale after one more event. */
export function evolveTale(tale: Tale, event: EventView): Tale {
  const at = event.stream.indexOf(":");
  const [kind, id] = [event.stream.slice(0, at), event.stream.slice(at + 1)];
  if (kind === "session") {
    const session = evolveSession(tale.sessions[id] ?? NEW_SESSION, event);
    return { ...tale, sessions: { ...tale.sessions, [id]: session } };
  }
  if (kind !== "pull-request") return tale;
  return { ...tale, changes: { ...tale.changes, [id]: evolveChange(tale.changes[id] ?? NEW_CHANGE, event) } };
}

function evolveSession(session: SessionTale, event: EventView): SessionTale {
  switch (event.type) {
    case "run.started":
      return { ...session, startedAt: session.startedAt ?? Date.parse(event.at) };
    case "run.ended":
      return session.isStopping ? session : { ...session, deaths: session.deaths + 1 };
    case "agent.answered":
      return { ...session, answers: session.answers + 1 };
    case "branch.seen":
      return { ...session, commits: Math.max(session.commits, event.data.ahead) };
    case "session.stop-requested":
      return { ...session, isStopping: true };
    case "session.stopped":
      return { ...session, stoppedAt: Date.parse(event.at) };
    default:
      return session;
  }
}

function evolveChange(change: ChangeTale, event: EventView): ChangeTale {
  switch (event.type) {
    case "pull-request.opened":
      return { ...change, sessionId: event.data.sessionId };
    case "check.finished":
      return event.data.state === "failed" ? { ...change, reds: change.reds + 1 } : change;
    case "review.given":
      return event.data.verdict === "request-changes" ? { ...change, requests: change.requests + 1 } : change;
    case "pull-request.tried":
      return event.data.kind === "conflict" ? { ...change, conflicts: change.conflicts + 1 } : change;
    case "pull-request.merged":
      return { ...change, mergedAt: Date.parse(event.at) };
    case "branch.settled":
      return { ...change, isBranchSettled: true };
    case "issue.settled":
      return { ...change, isIssueSettled: true };
    default:
      return change;
  }
}

/** The maximum number of sessions that worked at the same time. */
export function countOverlap(tale: Tale): number {
  const spans = Object.values(tale.sessions).flatMap(({ startedAt, stoppedAt }) =>
    startedAt === null ? [] : [{ from: startedAt, to: stoppedAt ?? Number.POSITIVE_INFINITY }],
  );
  return Math.max(0, ...spans.map(({ from }) => spans.filter((span) => span.from <= from && from < span.to).length));
}
