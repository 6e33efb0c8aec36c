import { reasonOf } from "../cost/reason.ts";
import { addUsage } from "../cost/usage.ts";
import { completeAsked, summarizeQuestion } from "../question.ts";
import type { SessionEvent } from "./events.ts";
import { withdrawInterrupts } from "./evolve-message.ts";
import type { SessionState } from "./state.ts";

const TURN_OVER = "the turn had already ended";

type AgentEvent = Extract<
  SessionEvent,
  { readonly type: `agent.${string}` | `question.${string}` | `conversation.${string}` }
>;

/** Applies an agent's signals: what it does, asks, used and has done. */
export function evolveAgent(state: SessionState, event: AgentEvent, at: number): SessionState {
  switch (event.type) {
    case "agent.reported":
      return reported(state, event, at);
    case "agent.output-seen":
      return { ...state, activity: { ...state.activity, at } };
    case "agent.host-refused":
    case "agent.path-refused":
      return refused(state, event);
    case "conversation.known":
      return { ...state, conversation: event.id, resumes: event.resumes ?? false };
    case "agent.limited":
      return {
        ...state,
        limitedUntil: event.until,
        activity:
          event.cause === "outage"
            ? { state: "limited", note: event.reason, evidence: "model service unavailable", at, isOutage: true }
            : { state: "limited", note: event.reason, evidence: "rate limited", at },
      };
    case "agent.errored":
      return {
        ...state,
        turn: null,
        turns: state.turns + 1,
        messages: withdrawInterrupts(state.messages, TURN_OVER),
        question: null,
        activity: { state: "errored", note: event.reason, evidence: "the agent reported an error", at },
      };
    case "agent.asked":
      return {
        ...state,
        question: { id: event.id, ...completeAsked(event), run: event.run, at, answeredBy: null },
        activity: { state: "waiting", note: summarizeQuestion(event), evidence: "the agent asked a question", at },
      };
    case "question.withdrawn":
      return unasked(state, event.id, at);
    case "agent.answered":
      return state.question?.id === event.questionId
        ? { ...state, question: { ...state.question, answeredBy: event.messageId } }
        : state;
    case "agent.used":
      return { ...state, usage: addUsage(state.usage, { ...event, reason: reasonOf(state) }, at) };
    case "agent.finished":
      return {
        ...state,
        summary: event.summary,
        turn: null,
        turns: state.turns + 1,
        messages: withdrawInterrupts(state.messages, TURN_OVER),
        // An agent that is done no longer waits for an answer.
        question: null,
        run: { ...state.run, progressed: true, failures: 0 },
        activity: { state: "idle", note: event.summary, evidence: "the agent said that it is done", at },
      };
  }
}

function refused(
  state: SessionState,
  event: Extract<AgentEvent, { readonly type: "agent.host-refused" | "agent.path-refused" }>,
): SessionState {
  return event.type === "agent.host-refused"
    ? { ...state, refusedHosts: [...(state.refusedHosts ?? []), event.host] }
    : { ...state, refusedPaths: [...(state.refusedPaths ?? []), event.path] };
}

function reported(
  state: SessionState,
  event: Extract<AgentEvent, { type: "agent.reported" }>,
  at: number,
): SessionState {
  return {
    ...state,
    activity: { state: event.state, note: event.note, evidence: "the agent reported it", at },
    turn: event.state === "idle" ? null : state.turn,
    messages: event.state === "idle" ? withdrawInterrupts(state.messages, TURN_OVER) : state.messages,
    // An idle agent waits for no answer.
    question: event.state === "idle" ? null : state.question,
    turns: event.state === "idle" && state.activity.state !== "idle" ? state.turns + 1 : state.turns,
  };
}

// A pending answer is withdrawn with its question.
function unasked(state: SessionState, id: string, at: number): SessionState {
  if (state.question?.id !== id) return state;
  const messages = state.messages.map((message) =>
    message.replyTo === id && message.status === "queued"
      ? { ...message, status: "withdrawn" as const, text: null, reason: "the agent withdrew its question" }
      : message,
  );
  const activity = { state: "working", note: null, evidence: "the agent withdrew its question", at } as const;
  return {
    ...state,
    messages,
    question: null,
    activity: state.activity.state === "waiting" ? activity : state.activity,
  };
}
