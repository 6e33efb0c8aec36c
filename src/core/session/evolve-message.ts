import { excerpt } from "../text.ts";
import type { SessionEvent } from "./events.ts";
import { type AgentInput, isOnItsWay, type Message, REMEMBERED_MESSAGES, type SessionState } from "./state.ts";

type MessageEvent = Extract<SessionEvent, { readonly type: `message.${string}` }>;

/** Message events; an accepted message never changes again. */
export function evolveMessage(state: SessionState, event: MessageEvent, at: number): SessionState {
  if (event.type === "message.queued") return queued(state, event, at);
  const message = state.messages.find((candidate) => candidate.id === event.id);
  if (message === undefined || message.status === "accepted") return state;
  const hasArrived = event.type === "message.written" || event.type === "message.accepted";
  // Even if the agent confirms it: it is not a turn, and the end of the turn reports its result.
  if (hasArrived && message.kind === "interrupt") return replace(state, settled(message));
  if (event.type === "message.accepted") return accepted(state, message, event.by, at);
  if (event.type === "message.written" && message.kind === "answer") return answered(state, message, at);
  return replace(state, changed(message, event));
}

function changed(
  message: Message,
  event: Exclude<MessageEvent, { type: "message.queued" | "message.accepted" }>,
): Message {
  switch (event.type) {
    case "message.started":
      return { ...message, status: "started", run: event.run, attempt: event.attempt, reason: null };
    case "message.written":
      return { ...message, status: "written", run: event.run };
    case "message.held":
      return { ...message, status: "queued", run: null, reason: event.reason, notBefore: event.notBefore };
    case "message.waiting":
      // A fast agent reports this before its receipt is recorded; a repeated one waits for another reason.
      return isWithAgent(message) ? { ...message, reason: event.reason } : message;
    case "message.returned":
      return { ...message, status: "queued", run: null, attempt: message.attempt + 1, reason: event.reason };
    case "message.unknown":
      return { ...message, status: "unknown", reason: event.reason };
    case "message.failed":
      return { ...message, status: "failed", text: null, reason: event.reason };
    case "message.withdrawn":
      // A sent one cannot be withdrawn.
      return message.status === "queued"
        ? { ...message, status: "withdrawn", text: null, reason: event.reason }
        : message;
  }
}

function isWithAgent({ status }: Message): boolean {
  return status === "started" || status === "written";
}

function queued(
  state: SessionState,
  event: Extract<MessageEvent, { type: "message.queued" }>,
  at: number,
): SessionState {
  if (state.messages.some((message) => message.id === event.id)) return state;
  const message: Message = {
    id: event.id,
    kind: event.kind,
    replyTo: event.replyTo,
    text: event.text,
    bytes: event.bytes,
    preview: excerpt(event.text),
    ...(event.about === undefined ? {} : { about: event.about }),
    status: "queued",
    attempt: 1,
    run: null,
    reason: null,
    notBefore: 0,
    at,
  };
  return { ...state, messages: forget([...state.messages, message], state.input) };
}

/** Unsent interrupts are withdrawn with their turn. */
export function withdrawInterrupts(messages: readonly Message[], reason: string): readonly Message[] {
  return messages.map((message) =>
    message.kind === "interrupt" && message.status === "queued"
      ? { ...message, status: "withdrawn", text: null, reason }
      : message,
  );
}

function settled(message: Message): Message {
  return { ...message, status: "accepted", text: null, reason: null };
}

function accepted(state: SessionState, message: Message, by: "received" | "done" | "exit", at: number): SessionState {
  const next = replace(state, settled(message));
  return {
    ...next,
    run: { ...next.run, progressed: true, failures: 0 },
    confirms: next.confirms || by === "received",
    turn: by === "received" && message.text !== null ? { messageId: message.id, text: message.text, at } : null,
    turns: by === "received" ? next.turns : next.turns + 1,
    activity:
      by === "received"
        ? confirmed(next.activity, at)
        : { state: "idle", note: null, evidence: "its process ended with exit code 0", at },
  };
}

// Some receipts arrive after the agent has already reported what it does with the message.
function confirmed(activity: SessionState["activity"], at: number): SessionState["activity"] {
  if (activity.state === "working" && activity.note !== null) return { ...activity, at };
  return { state: "working", note: null, evidence: "the agent confirmed a message", at };
}

// The protocol has no receipt for an answer: once it is in stdin the question is closed, and a restarted agent asks
// again.
function answered(state: SessionState, message: Message, at: number): SessionState {
  const next = replace(state, settled(message));
  // A fast agent has read the answer and continued before this is recorded; then its own report stands.
  if (next.question?.id !== message.replyTo) return next;
  const isSilent = next.activity.state === "waiting";
  return {
    ...next,
    question: null,
    activity: isSilent ? { state: "working", note: null, evidence: "its question was answered", at } : next.activity,
  };
}

function replace(state: SessionState, message: Message): SessionState {
  return { ...state, messages: state.messages.map((candidate) => (candidate.id === message.id ? message : candidate)) };
}

// The oldest settled ones are dropped first, and never one on its way.
function forget(messages: readonly Message[], input: AgentInput): readonly Message[] {
  let surplus = messages.length - REMEMBERED_MESSAGES;
  if (surplus <= 0) return messages;
  return messages.filter((message) => isOnItsWay(message, input) || surplus-- <= 0);
}
