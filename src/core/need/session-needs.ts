import { summarizeQuestion } from "../question.ts";
import type { Problem } from "../reaction/problem.ts";
import type { AgentInput, Message, SessionState } from "../session/state.ts";
import { deriveStatus, describeBranchLeft } from "../session/status.ts";
import { sessionStream } from "../stream.ts";
import { excerpt } from "../text.ts";
import { type ActionName, actionsOn, describeTried, type Need, needOfProblem } from "./need.ts";

/** Needs that follow from a session's state, whether or not a problem was escalated. */
export const STATED_NEEDS = [
  "question",
  "workspace",
  "branch-left",
  "agent-exited",
  "agent-stays",
  "turn-failed",
  "message-unknown",
  "message-failed",
] as const;

/** A need from the session's own state, with the matching problem. */
interface Stated {
  readonly kind: (typeof STATED_NEEDS)[number];
  readonly key?: string;
  readonly text: string;
  readonly at: number;
  readonly actions: readonly ActionName[];
  readonly covers?: "agent-needs-input" | "agent-exited";
}

/** What needs a person in this session, including dismissed needs; empty: nothing. */
export function needsOfSession(session: SessionState, policy: { readonly paused: boolean }): readonly Need[] {
  if (session.phase === "stopped") return [];
  const stated = session.phase === "stopping" ? cannotStop(session) : listStated(session, policy);
  const covered = new Set<string>(stated.flatMap(({ covers }) => covers ?? []));
  const problems = Object.values(session.problems).filter(
    ({ id, escalatedAt }) => escalatedAt !== null && !covered.has(id),
  );
  return [...stated.map((one) => toNeed(session, one)), ...problems.map((problem) => problemNeed(session, problem))];
}

function toNeed(session: SessionState, stated: Stated): Need {
  const { kind, key = "", text, at, covers } = stated;
  const question = kind === "question" ? session.question : null;
  const problem = covers === undefined ? undefined : session.problems[covers];
  const canDismiss = problem !== undefined && question === null;
  const known = problem === undefined ? null : needOfProblem(problem, sessionStream(session.id));
  return {
    id: `${session.id}/${kind}${key}`,
    kind,
    text,
    at,
    since: known?.since ?? at,
    actions: actionsOf(session, [...stated.actions, ...(canDismiss ? (["dismiss"] as const) : [])]),
    question,
    problem: canDismiss ? (known?.problem ?? null) : null,
    attempts: null,
    isDismissed: canDismiss && problem.acknowledged,
    occurrence: question?.id ?? `${kind} ${at}`,
  };
}

function problemNeed(session: SessionState, problem: Problem): Need {
  return {
    ...needOfProblem(problem, sessionStream(session.id)),
    id: `${session.id}/${problem.id}`,
    kind: problem.key,
    text: describeTried(problem),
    actions: actionsOf(session, [...(PROBLEM_ACTIONS[problem.key] ?? ["open", "message"]), "dismiss"]),
    question: null,
  };
}

const PROBLEM_ACTIONS: Readonly<Record<string, readonly ActionName[]>> = {
  "agent-stuck": ["attach", "interrupt", "message", "stop"],
  "agent-idle": ["message", "stop"],
  uncommitted: ["commit", "message"],
};

function actionsOf({ id }: SessionState, names: readonly ActionName[]): Need["actions"] {
  return actionsOn({ sessionId: id, pullRequest: null }, names);
}

function listStated(session: SessionState, policy: { readonly paused: boolean }): readonly Stated[] {
  const { question, updatedAt, activity } = session;
  const needs: Stated[] = [];
  if (question !== null && question.answeredBy === null) {
    const text = summarizeQuestion(question);
    const actions = ["answer", "message", "open"] as const;
    needs.push({ kind: "question", text, at: question.at, actions, covers: "agent-needs-input" });
  }
  const { status, state, evidence: text } = deriveStatus(session, policy);
  if (status === "workspace-missing" || status === "failed")
    needs.push({ kind: "workspace", text, at: updatedAt, actions: ["restore", "stop"] });
  const left = describeBranchLeft(session);
  if (left !== null) {
    needs.push({ kind: "branch-left", text: left, at: updatedAt, actions: ["message", "attach"] });
  }
  if (status === "exited" && state === "error")
    needs.push({
      kind: "agent-exited",
      text,
      at: updatedAt,
      actions: ["restore", "log", "stop"],
      covers: "agent-exited",
    });
  if (status === "errored")
    needs.push({ kind: "turn-failed", text, at: activity.at, actions: ["log", "message"], covers: "agent-exited" });
  return [...needs, ...session.messages.flatMap((message) => lostMessage(message, session.input))];
}

function lostMessage(message: Message, input: AgentInput): readonly Stated[] {
  const lost = howLost(message, input);
  if (lost === null) return [];
  const words = message.text === null ? "" : `: "${excerpt(message.text)}"`;
  const said = lost === "unknown" ? "Delivery unknown for this message" : "This message was not delivered";
  const text = `${said}${words} (${message.reason ?? "no reason known"})`;
  return [{ kind: `message-${lost}`, key: `/${message.id}`, text, at: message.at, actions: ["attach", "message"] }];
}

// A failed turn has its own entry if each turn is a separate process, and whoever interrupts sees the result anyway.
function howLost({ kind, status }: Message, input: AgentInput): "unknown" | "failed" | null {
  if (kind === "interrupt") return null;
  if (status === "unknown") return status;
  return status === "failed" && input !== "file" ? status : null;
}

function cannotStop({ run, updatedAt }: SessionState): readonly Stated[] {
  if (run.state !== "alive" || run.endFailures < run.endTries) return [];
  const text = `The agent could not be stopped: ${run.evidence ?? "unknown"}`;
  return [{ kind: "agent-stays", text, at: updatedAt, actions: ["stop"] }];
}
