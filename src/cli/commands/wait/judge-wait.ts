import { firstCommand } from "../../../protocol/command-of.ts";
import type { SessionDetailView } from "../../../protocol/views/session.ts";
import { visibleLine } from "../../views/visible.ts";

export const GOALS = ["idle", "pr", "merged", "exited", "stopped"] as const;
export type Goal = (typeof GOALS)[number];

/** Where a session stands against what is waited for. */
export type Verdict =
  | { readonly kind: "reached" | "waiting" }
  /** It cannot get there any more. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It cannot get there without a person. */
  | { readonly kind: "needs-you"; readonly reason: string; readonly act: string };

/** What an agent's session cannot come back from by itself. */
const OVER = ["stopped", "stopping", "errored", "failed", "workspace-missing"];

const REACHED: Verdict = { kind: "reached" };
const WAITING: Verdict = { kind: "waiting" };

type Judged = Pick<
  SessionDetailView,
  "id" | "status" | "evidence" | "agentStatus" | "state" | "messages" | "question" | "ahead" | "attention"
> & {
  readonly pullRequests: readonly Pick<SessionDetailView["pullRequests"][number], "phase">[];
};

/** Whether a session is where the caller wants it, may still get there, or needs a person for it. */
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
  // One that is open can be merged without its agent.
  if (has("open")) return WAITING;
  const { agentStatus: status, attention, id } = session;
  if (OVER.includes(status) || (status === "exited" && session.state === "error")) return failed(session);
  if (!isAtRest(session) || session.ahead !== 0) return WAITING;
  if (attention?.kind === "uncommitted")
    return { kind: "needs-you", reason: attention.text, act: firstCommand(attention.actions) };
  return { kind: "needs-you", reason: "the agent is idle without a commit", act: `ao send ${id} "..."` };
}

// An agent that has yet to read its mail is idle only for the moment.
function isAtRest(session: Judged): boolean {
  const hasMail = session.messages.some(({ delivery }) => delivery === "queued" || delivery === "sending");
  return session.agentStatus === "idle" && !hasMail;
}

function failed({ status, evidence }: Judged): Verdict {
  return { kind: "failed", reason: `${status}, ${evidence}` };
}
