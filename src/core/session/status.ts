import { describeAsked } from "../question.ts";
import { countUncommitted, describeUncommitted } from "./branch.ts";
import { isAsleep } from "./hibernate.ts";
import { isPending, isRunOver, MAX_FAILED_RUNS, type SessionState } from "./state.ts";

/** What people see. Derived from the state each time, never stored. */
export interface SessionStatus {
  readonly status:
    | "queued"
    | "paused"
    | "preparing"
    | "starting"
    | "working"
    | "idle"
    | "needs-input"
    | "rate-limited"
    | "unavailable"
    | "no-signal"
    | "restarting"
    | "exited"
    | "errored"
    | "failed"
    | "workspace-missing"
    | "stopping"
    | "stopped";
  /** The four words of the library. */
  readonly state: "idle" | "working" | "waiting" | "error";
  readonly evidence: string;
}

const PAUSED: SessionStatus = { status: "paused", state: "idle", evidence: "paused; `ao resume` continues" };

/** The status of a session, with its evidence. */
export function deriveStatus(session: SessionState, policy: { readonly paused: boolean }): SessionStatus {
  switch (session.phase) {
    case "queued":
      return policy.paused ? PAUSED : say("queued", "idle", "waiting for a slot");
    case "stopping":
      return say("stopping", "working", session.stopReason ?? "stop requested");
    case "stopped":
      return say("stopped", "idle", describeStopped(session));
    case "open":
      return deriveOpen(session, policy);
  }
}

function deriveOpen(session: SessionState, policy: { readonly paused: boolean }): SessionStatus {
  const { workspace } = session;
  switch (workspace.state) {
    case "none":
    case "creating":
      return policy.paused && workspace.state === "none" ? PAUSED : say("preparing", "working", "creating worktree");
    case "failed":
      return say("failed", "error", workspace.reason ?? "the worktree could not be created");
    case "missing":
      return say("workspace-missing", "error", workspace.reason ?? "the worktree is gone");
    case "branch-missing":
      return say("workspace-missing", "error", workspace.reason ?? "the branch is gone");
    case "kept":
    case "removed":
      return say("failed", "error", workspace.reason ?? "the worktree was removed");
    case "ready":
      return deriveReady(session, policy);
  }
}

function deriveReady(session: SessionState, policy: { readonly paused: boolean }): SessionStatus {
  const { run, activity, question } = session;
  if (policy.paused && run.state !== "alive" && run.state !== "starting") return PAUSED;
  if (question !== null) return say("needs-input", "waiting", describeAsked(question));
  if (run.state === "starting" || (run.state === "none" && session.input !== "file")) {
    return say("starting", "working", "starting the agent");
  }
  if (isRunOver(run)) return deriveEnded(session);
  if (activity.state === "waiting") return say("needs-input", "waiting", activity.note ?? activity.evidence);
  if (activity.state === "errored") return say("errored", "error", activity.note ?? activity.evidence);
  if (activity.state === "limited") {
    return say(activity.isOutage === true ? "unavailable" : "rate-limited", "waiting", describeLimit(session));
  }
  if (activity.state === "idle")
    return say("idle", "idle", withUncommitted(session, activity.note ?? activity.evidence));
  if (session.problems["agent-stuck"] !== undefined) return say("no-signal", "working", describeSilence(session));
  return say("working", "working", activity.note ?? activity.evidence);
}

// It may be working silently, so this is neither a death nor an error.
function describeSilence(session: SessionState): string {
  const { activity } = session;
  const last = activity.note ?? activity.evidence;
  return `no output since ${new Date(activity.at).toISOString()}; last: ${last}`;
}

function describeLimit(session: SessionState): string {
  const { note, evidence } = session.activity;
  const next = session.limitedUntil === null ? "" : ` (next try ${new Date(session.limitedUntil).toISOString()})`;
  return `${note ?? evidence}${next}`;
}

function deriveEnded(session: SessionState): SessionStatus {
  const { run, activity } = session;
  const waiting = session.messages.some((message) => message.status === "queued");
  if (session.input === "file") {
    if (activity.state === "errored") return say("errored", "error", activity.note ?? activity.evidence);
    if (waiting) return say("starting", "working", "starting the next turn");
    return say("idle", "idle", withUncommitted(session, activity.evidence));
  }
  if (isAsleep(session)) {
    if (waiting) return say("starting", "working", "waking the agent");
    return say("idle", "idle", withUncommitted(session, "hibernated; a message wakes it"));
  }
  if (run.failures >= MAX_FAILED_RUNS) {
    return say(
      "exited",
      "error",
      `the agent exited ${run.failures} times without progress: ${run.evidence ?? "unknown"}`,
    );
  }
  if (run.code !== 0 || session.turn !== null || waiting) {
    return say("restarting", "working", `the agent exited (${run.evidence ?? "unknown"}); restarting it`);
  }
  return say("exited", "idle", run.evidence ?? "the agent exited");
}

// What a turn left uncommitted, or made on another branch, comes first: no pull request will show it.
function withUncommitted(session: SessionState, evidence: string): string {
  const count = countUncommitted(session);
  const { elsewhere } = session.workspace;
  const left = elsewhere == null ? [] : [`on ${elsewhere} instead of its branch`];
  return [...left, ...(count === 0 ? [] : [describeUncommitted({ count })]), evidence].join("; ");
}

/** Says that the worktree is not on its own branch; null: it is. */
export function describeBranchLeft({ branch, workspace }: SessionState): string | null {
  const { state, elsewhere } = workspace;
  if (state !== "ready" || elsewhere == null) return null;
  return `The worktree is on ${elsewhere} instead of ${branch}: commits there are not in its pull request`;
}

function describeStopped(session: SessionState): string {
  const { workspace } = session;
  if (workspace.state === "kept")
    return `stopped; worktree kept: ${workspace.reason ?? "it could not be saved completely"}`;
  if (workspace.preservedRef !== null) {
    return `stopped; uncommitted work saved in ${workspace.preservedRef}; \`ao restore ${session.id}\` brings it back`;
  }
  return "stopped";
}

function say(status: SessionStatus["status"], state: SessionStatus["state"], evidence: string): SessionStatus {
  return { status, state, evidence };
}

/** How many messages are still on their way; an interrupt is not work. */
export function countPending(session: SessionState): number {
  return session.messages.filter((message) => isPending(message, session.input)).length;
}
