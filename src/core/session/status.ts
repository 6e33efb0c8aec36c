import { describeAsked, summarizeQuestion } from "../question.ts";
import { excerpt } from "../text.ts";
import { countUncommitted, describeUncommitted } from "./branch.ts";
import { isAsleep } from "./hibernate.ts";
import { type AgentInput, isPending, MAX_FAILED_RUNS, type Message, type SessionState } from "./state.ts";

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
  if (run.state === "ended" || run.state === "none") return deriveEnded(session);
  if (activity.state === "waiting") return say("needs-input", "waiting", activity.note ?? activity.evidence);
  if (activity.state === "errored") return say("errored", "error", activity.note ?? activity.evidence);
  if (activity.state === "limited") return say("rate-limited", "waiting", describeLimit(session));
  if (activity.state === "idle")
    return say("idle", "idle", withUncommitted(session, activity.note ?? activity.evidence));
  if (session.problems["agent-stuck"] !== undefined) return say("no-signal", "working", describeSilence(session));
  return say("working", "working", activity.note ?? activity.evidence);
}

// It may work on without a word, so this is neither a death nor an error.
function describeSilence(session: SessionState): string {
  const { activity } = session;
  const last = activity.note ?? activity.evidence;
  return `no output since ${new Date(activity.at).toISOString()}; last: ${last}`;
}

function describeLimit(session: SessionState): string {
  const { note, evidence } = session.activity;
  const until = session.limitedUntil === null ? "" : ` (until ${new Date(session.limitedUntil).toISOString()})`;
  return `${note ?? evidence}${until}`;
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

// What a turn left uncommitted comes first: no pull request will show it.
function withUncommitted(session: SessionState, evidence: string): string {
  const count = countUncommitted(session);
  return count === 0 ? evidence : `${describeUncommitted({ count })}; ${evidence}`;
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

/** Something that needs a person. */
export interface InboxItem {
  readonly id: string;
  readonly sessionId: string;
  readonly kind:
    | "question"
    | "workspace"
    | "agent-exited"
    | "agent-stays"
    | "turn-failed"
    | "message-unknown"
    | "message-failed";
  readonly text: string;
  readonly choices: readonly string[];
  /** The command that deals with it. */
  readonly act: string;
  readonly at: number;
}

/** What of this session needs a person; empty when all is well. */
export function deriveInbox(session: SessionState, policy: { readonly paused: boolean }): readonly InboxItem[] {
  if (session.phase === "stopped") return [];
  if (session.phase === "stopping") return deriveStuck(session);
  const items: InboxItem[] = [];
  const add = (
    kind: InboxItem["kind"],
    key: string,
    text: string,
    act: string,
    at: number,
    choices: readonly string[] = [],
  ): void => {
    items.push({ id: `${session.id}/${kind}${key}`, sessionId: session.id, kind, text, choices, act, at });
  };
  const { question } = session;
  if (question !== null && question.answeredBy === null) {
    add("question", "", summarizeQuestion(question), `ao answer ${session.id}`, question.at, question.choices);
  }
  const now = deriveStatus(session, policy);
  const restore = `ao restore ${session.id}`;
  if (now.status === "workspace-missing" || now.status === "failed")
    add("workspace", "", now.evidence, restore, session.updatedAt);
  if (now.status === "exited" && now.state === "error")
    add("agent-exited", "", now.evidence, restore, session.updatedAt);
  if (now.status === "errored") add("turn-failed", "", now.evidence, `ao logs ${session.id}`, session.activity.at);
  for (const message of session.messages) {
    const lost = howLost(message, session.input);
    if (lost === null) continue;
    const text = message.text === null ? "" : `: "${excerpt(message.text)}"`;
    const said = lost === "unknown" ? "Delivery unknown for this message" : "This message was not delivered";
    add(
      `message-${lost}`,
      `/${message.id}`,
      `${said}${text} (${message.reason ?? "no reason known"})`,
      `ao attach ${session.id}`,
      message.at,
    );
  }
  return items;
}

// A turn that failed is told as such where it is a process of its own, and whoever interrupts sees what comes of it.
function howLost({ kind, status }: Message, input: AgentInput): "unknown" | "failed" | null {
  if (kind === "interrupt") return null;
  if (status === "unknown") return status;
  return status === "failed" && input !== "file" ? status : null;
}

function deriveStuck(session: SessionState): readonly InboxItem[] {
  const { run } = session;
  if (run.state !== "alive" || run.endFailures < run.endTries) return [];
  const text = `The agent could not be stopped: ${run.evidence ?? "unknown"}`;
  const act = `ao stop ${session.id}`;
  return [
    {
      id: `${session.id}/agent-stays`,
      sessionId: session.id,
      kind: "agent-stays",
      text,
      choices: [],
      act,
      at: session.updatedAt,
    },
  ];
}

/** How many messages are still on their way; an interrupt is no work. */
export function countPending(session: SessionState): number {
  return session.messages.filter((message) => isPending(message, session.input)).length;
}
