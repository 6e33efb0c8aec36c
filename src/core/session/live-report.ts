import type { SessionState } from "./state.ts";

/**
 * An agent's last report of what it is doing. Not an event: the next report replaces it, and a restart reads it again.
 */
export interface LiveReport {
  readonly run: number;
  readonly state: "working" | "idle" | "waiting";
  readonly note: string | null;
  readonly at: number;
}

/** The session as people see it: with its agent's newest report, unless the log has something newer. For views only. */
export function withLiveReport(session: SessionState, report: LiveReport | null): SessionState {
  const { run, activity } = session;
  if (report === null || run.state !== "alive" || report.run !== run.n || report.at < activity.at) return session;
  const { state, note, at } = report;
  // An agent that repeats that it is idle does not replace the summary of its turn.
  if (state === "idle" && note === null && activity.state === "idle") return session;
  return {
    ...session,
    activity: { state, note, evidence: "the agent reported it", at },
    updatedAt: Math.max(session.updatedAt, at),
  };
}
