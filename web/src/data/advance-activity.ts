import type { SessionView } from "../../../src/protocol/views/session.ts";
import type { Segment, StripActivity } from "../lib/strip-geometry.ts";

/** The activity of a session after its view changed at `at`: a new state ends the open segment and starts the next. */
export function advanceActivity(activity: StripActivity | undefined, session: SessionView, at: string): StripActivity {
  const before = activity ?? { agent: [], checks: [], mergedAt: null };
  const isMerged = session.status === "merged";
  return {
    agent: advance(before.agent, isMerged ? null : agentKind(session), at),
    checks: advance(before.checks, isMerged ? null : checksKind(session), at),
    mergedAt: before.mergedAt ?? (isMerged ? at : null),
  };
}

function advance(segments: readonly Segment[], kind: string | null, at: string): readonly Segment[] {
  const last = segments.at(-1);
  const open = last?.to === null ? last : undefined;
  if (open?.kind === kind || (open === undefined && kind === null)) return segments;
  const closed = open === undefined ? segments : segments.with(-1, { ...open, to: at });
  return kind === null ? closed : [...closed, { kind, from: at, to: null }];
}

const KIND_OF_STATUS: Readonly<Record<string, string>> = {
  queued: "queued",
  "rate-limited": "rate-limited",
  "no-signal": "no-signal",
  "needs-input": "question",
  idle: "idle",
  exited: "idle",
  paused: "idle",
};

function agentKind({ status, state, attention }: SessionView): string | null {
  if (status === "stopped" || status === "closed") return null;
  const known = KIND_OF_STATUS[status];
  if (known !== undefined) return known;
  if (attention?.kind === "review" || attention?.kind === "approved-and-green") return "review";
  return state === "working" ? "working" : "idle";
}

function checksKind({ pullRequests }: SessionView): string | null {
  const checks = pullRequests.find(({ phase }) => phase === "open")?.checks ?? [];
  const has = (...states: readonly string[]): boolean => checks.some(({ state }) => states.includes(state));
  if (has("failed", "timed-out", "setup-failed")) return "failing";
  if (has("running", "queued")) return "running";
  return has("passed") ? "passing" : null;
}
