import { firstCommand } from "../../../protocol/command-of.ts";
import type { SessionDetailView } from "../../../protocol/views/session.ts";
import { visibleLine } from "../../views/visible.ts";

export const GOALS = ["idle", "pr", "merged", "exited", "stopped"] as const;
export type Goal = (typeof GOALS)[number];

/** A session's state compared with the goal. */
export type Verdict =
  | { readonly kind: "reached" | "waiting" }
  /** It can no longer get there. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It cannot get there without a person. */
  | { readonly kind: "needs-you"; readonly reason: string; readonly act: string };

/** States from which a session does not recover by itself. */
const OVER = ["stopped", "stopping", "errored", "failed", "workspace-missing"];

const REACHED: Verdict = { kind: "reached" };
const WAITING: Verdict = { kind: "waiting" };

type Judged = Pick<
  SessionDetailView,
  | "id"
  | "status"
  | "evidence"
  | "agentStatus"
  | "state"
  | "messages"
  | "question"
  | "ahead"
  | "attention"
  | "signalSource"
> & {
  readonly pullRequests: readonly Pick<SessionDetailView["pullRequests"][number], "phase">[];
};

/** Has a session reached the caller's goal, can it still get there, or does it need a person? */
export function judge(session: Judged, goal: Goal): Verdict {
  const verdict = goal === "pr" || goal === "merged" ? judgePull(session, goal) : judgeAgent(session, goal);
  const { question, id } = session;
  if (verdict.kind !== "waiting" || question === null || question.answered === true) return verdict;
  return { kind: "needs-you", reason: visibleLine(question.question), act: `ao answer ${id}` };
}

function judgeAgent(session: Judged, goal: "idle" | "exited" | "stopped"): Verdict {
  const { agentStatus: status } = session;
  if (goal === "stopped") return status === "stopped" ? REACHED : WAITING;
  if (goal === "exited") return status === "exited" || status === "stopped" ? REACHED : WAITING;
  if (OVER.includes(status) || status === "exited") return failed(session);
  return isAtRest(session) ? REACHED : WAITING;
}

function judgePull(session: Judged, goal: "pr" | "merged"): Verdict {
  const has = (phase: string): boolean => session.pullRequests.some((pull) => pull.phase === phase);
  if (has("merged") || (goal === "pr" && has("open"))) return REACHED;
  // An open pull request can be merged without its agent.
  if (has("open")) return WAITING;
  const { agentStatus: status, attention, id } = session;
  if (OVER.includes(status) || (status === "exited" && session.state === "error")) return failed(session);
  if (!isAtRest(session) || session.ahead !== 0) return WAITING;
  if (attention?.kind === "uncommitted")
    return { kind: "needs-you", reason: attention.text, act: firstCommand(attention.actions) };
  return { kind: "needs-you", reason: "the agent is idle without a commit", act: `ao send ${id} "..."` };
}

// An agent with unread messages is idle only for the moment.
function isAtRest(session: Judged): boolean {
  return session.agentStatus === "idle" && !session.messages.some((message) => isUnread(message, session));
}

function isUnread({ delivery, kind }: Judged["messages"][number], { signalSource }: Judged): boolean {
  // A protocol confirms what the agent has read; text that was typed into a terminal has arrived as far as can be known.
  if (delivery === "unconfirmed") return signalSource === "protocol" && kind !== "interrupt";
  return delivery === "queued" || delivery === "sending";
}

function failed({ status, evidence }: Judged): Verdict {
  return { kind: "failed", reason: `${status}, ${evidence}` };
}
