/** The shapes of a state mark. */
export const MARKS = [
  "question",
  "escalated",
  "no-signal",
  "review",
  "ready",
  "setup-failed",
  "fixing",
  "working",
  "checks-running",
  "merging",
  "paused",
  "idle",
  "queued",
  "merged",
  "failed",
  "stopped",
  "unknown",
] as const;
export type Mark = (typeof MARKS)[number];

export interface ShownState {
  readonly mark: Mark;
  /** The text beside the mark, or its accessible name. */
  readonly label: string;
}

/** What a state mark needs to know about a session or pull request. */
export interface Stateful {
  readonly status: string;
  /** Absent for a pull request. */
  readonly state?: string;
  /** Why it needs a person; absent for a pull request. */
  readonly attention?: { readonly kind: string } | null;
}

const show = (mark: Mark, label: string): ShownState => ({ mark, label });

/** By kind of need; any other kind is an escalated problem. */
const NEEDS: Readonly<Record<string, ShownState>> = {
  question: show("question", "Question"),
  permission: show("question", "Permission"),
  "agent-needs-input": show("question", "Waiting"),
  "agent-stuck": show("no-signal", "No signal"),
  "approved-and-green": show("ready", "Ready to merge"),
  review: show("review", "Needs review"),
  "agent-idle": show("idle", "Idle"),
  uncommitted: show("setup-failed", "Not committed"),
  "check-setup": show("setup-failed", "Setup failed"),
  config: show("setup-failed", "Invalid config"),
  "message-unknown": show("setup-failed", "Delivery unknown"),
  "message-failed": show("setup-failed", "Not delivered"),
  "agent-exited": show("escalated", "Agent exited"),
  "agent-stays": show("escalated", "Cannot stop"),
  "turn-failed": show("escalated", "Turn failed"),
  "branch-left": show("setup-failed", "Wrong branch"),
  "repository-missing": show("escalated", "Repository gone"),
  "base-rewritten": show("escalated", "Base rewritten"),
  "base-committed": show("escalated", "Base changed"),
  "main-broken": show("escalated", "Main is red"),
  "base-moving": show("escalated", "Base keeps moving"),
  workspace: show("escalated", "No worktree"),
};

const STATUSES: Readonly<Record<string, ShownState>> = {
  "needs-input": show("question", "Question"),
  "no-signal": show("no-signal", "No signal"),
  mergeable: show("ready", "Ready to merge"),
  "review-pending": show("review", "Needs review"),
  "check-setup-failed": show("setup-failed", "Setup failed"),
  "merge-waits": show("setup-failed", "Merge waits"),
  blocked: show("setup-failed", "Blocked"),
  "ci-failed": show("fixing", "Fixing"),
  conflict: show("fixing", "Fixing"),
  "changes-requested": show("fixing", "Fixing"),
  "checks-running": show("checks-running", "Checks running"),
  merging: show("merging", "Merging"),
  working: show("working", "Working"),
  preparing: show("working", "Preparing"),
  starting: show("working", "Starting"),
  restarting: show("working", "Restarting"),
  stopping: show("working", "Stopping"),
  idle: show("idle", "Idle"),
  exited: show("idle", "Idle"),
  "rate-limited": show("paused", "Rate limited"),
  unavailable: show("paused", "Service down"),
  paused: show("paused", "Paused"),
  queued: show("queued", "Queued"),
  merged: show("merged", "Merged"),
  stopped: show("stopped", "Stopped"),
  closed: show("stopped", "Closed"),
};

const ERRORS: Readonly<Record<string, ShownState>> = {
  exited: show("escalated", "Agent exited"),
  errored: show("escalated", "Turn failed"),
  failed: show("failed", "Failed"),
  "workspace-missing": show("escalated", "No worktree"),
};

/** The mark and label of a session or pull request: its need, else its status. */
export function stateOf({ status, state, attention = null }: Stateful): ShownState {
  if (attention !== null) return needOf(attention.kind);
  if (state === "error") return ERRORS[status] ?? show("escalated", "Failed");
  return STATUSES[status] ?? ERRORS[status] ?? show("unknown", "Unknown");
}

/** The same for an inbox entry; `ci-failed:unit` is a kind with its subject. */
export function needOf(kind: string): ShownState {
  const [name = kind] = kind.split(":");
  return NEEDS[name] ?? show("escalated", "Escalated");
}
