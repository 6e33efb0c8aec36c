import type { SessionView } from "./views/session.ts";

/** The tone of a state: urgent, needs a person, good news, busy, or nothing to look at. */
export type Tone = "urgent" | "need" | "good" | "busy" | "quiet";

/** A state for people: a one-column mark, one or two words, and its tone. */
export interface StateWord {
  readonly mark: string;
  readonly word: string;
  readonly tone: Tone;
}

/** Needs by the kind of their inbox entry; any other kind is an escalated problem under its own name. */
const NEEDS: Readonly<Record<string, StateWord>> = {
  question: { mark: "?", word: "question", tone: "need" },
  permission: { mark: "?", word: "permission", tone: "need" },
  "approved-and-green": { mark: "✓", word: "ready to merge", tone: "good" },
  review: { mark: "◉", word: "needs review", tone: "need" },
  "agent-idle": { mark: "○", word: "idle", tone: "need" },
  uncommitted: { mark: "○", word: "not committed", tone: "need" },
  "agent-stuck": { mark: "◌", word: "no signal", tone: "need" },
  "agent-needs-input": { mark: "?", word: "waiting", tone: "need" },
  "ci-failed": { mark: "▲", word: "check failed", tone: "urgent" },
  "check-setup": { mark: "▲", word: "setup failed", tone: "urgent" },
  "merge-conflict": { mark: "▲", word: "conflict", tone: "urgent" },
  "agent-exited": { mark: "▲", word: "agent exited", tone: "urgent" },
  "agent-stays": { mark: "▲", word: "cannot stop", tone: "urgent" },
  "branch-left": { mark: "▲", word: "wrong branch", tone: "need" },
  workspace: { mark: "▲", word: "failed", tone: "urgent" },
};

const STATES: Readonly<Record<string, StateWord>> = {
  working: { mark: "●", word: "working", tone: "busy" },
  idle: { mark: "○", word: "idle", tone: "quiet" },
  queued: { mark: "·", word: "queued", tone: "quiet" },
  paused: { mark: "‖", word: "paused", tone: "quiet" },
  "rate-limited": { mark: "‖", word: "rate limited", tone: "need" },
  unavailable: { mark: "‖", word: "service down", tone: "need" },
  "no-signal": { mark: "◌", word: "no signal", tone: "need" },
  "needs-input": { mark: "?", word: "waiting", tone: "need" },
  "review-pending": { mark: "◉", word: "needs review", tone: "need" },
  mergeable: { mark: "✓", word: "ready to merge", tone: "good" },
  merging: { mark: "»", word: "merging", tone: "good" },
  "merge-waits": { mark: "»", word: "merge waits", tone: "need" },
  "checks-running": { mark: "◐", word: "checks running", tone: "busy" },
  "ci-failed": { mark: "✗", word: "check failed", tone: "urgent" },
  "check-setup-failed": { mark: "✗", word: "setup failed", tone: "urgent" },
  conflict: { mark: "✗", word: "conflict", tone: "urgent" },
  "changes-requested": { mark: "✗", word: "changes asked", tone: "need" },
  merged: { mark: "✓", word: "merged", tone: "quiet" },
  stopped: { mark: "–", word: "stopped", tone: "quiet" },
  closed: { mark: "–", word: "closed", tone: "quiet" },
};

/** The state of a session in a word: its need if it has one, else its status. */
export function stateWord({
  status,
  state,
  attention,
}: Pick<SessionView, "status" | "state" | "attention">): StateWord {
  if (attention !== null) {
    const { kind } = attention;
    return NEEDS[kind] ?? { mark: "▲", word: kind.replaceAll("-", " "), tone: "urgent" };
  }
  const word = status.replaceAll("-", " ");
  if (state === "error") return { mark: "▲", word, tone: "urgent" };
  return STATES[status] ?? { mark: "●", word, tone: "busy" };
}
