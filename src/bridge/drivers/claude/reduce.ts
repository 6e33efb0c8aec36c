import type { Prompt, Usage } from "../../driver.ts";
import { andThen, type ReportCall, step } from "../../kit/reducer.ts";
import type { EventOf, Result } from "./events.ts";
import { addInquiry, answerInquiry, dropInquiry, NO_INQUIRIES } from "./inquiries.ts";
import { narrate, narrateResults, narrateRetry } from "./narrate.ts";
import { type Inquiry, respond } from "./permission.ts";
import { readWindows } from "./rate-windows.ts";
import { announce, isReceived } from "./receipt.ts";
import type { ClaudeNotice, ClaudeRequest, ClaudeState, ClaudeStep } from "./state.ts";
import { readEnd } from "./turn-end.ts";
import { LAST_REPORTED, readUsage } from "./usage.ts";

/** The id of the initialize request. */
export const GREETING = "open";

/** All decisions of the driver that uses the line protocol. */
export function reduceClaude(state: ClaudeState, notice: ClaudeNotice): ClaudeStep {
  if (state.isClosing) return step(state);
  switch (notice.kind) {
    case "event":
      return onEvent(state, notice);
    case "unknown":
      return step(state, [["unknown", { kind: notice.type, body: notice.body }]]);
    case "used-before":
      return reportUsage(state, notice.last, notice.usages);
    case "prompt":
      return givePrompt(state, notice.prompt, notice.uuid);
    case "transcript-read":
      return state.awaited !== null && isReceived(state.awaited, notice) ? accept(state) : step(state);
    case "answer":
      return answer(state, notice.questionId, notice.choice);
    case "interrupt": {
      const { requestId: request_id } = notice;
      const message = { type: "control_request", request_id, request: { subtype: "interrupt" } };
      return step({ ...state, isInterrupted: true }, [], [{ kind: "send", message }]);
    }
    case "close":
      return step({ ...state, isClosing: true, awaited: null });
  }
}

function onEvent(state: ClaudeState, { event, inquiry, now }: Extract<ClaudeNotice, { kind: "event" }>): ClaudeStep {
  switch (event.type) {
    case "assistant":
      return step(followModel(state, event), narrate(event.message.content));
    case "user": {
      const narrated = step<ClaudeState, ClaudeRequest>(state, narrateResults(event.message.content));
      return event.isReplay ? andThen(narrated, (next) => onAnnounced(next, event.uuid, now)) : narrated;
    }
    case "command_lifecycle":
      return event.state === "started" ? onAnnounced(state, event.command_uuid, now) : step(state);
    case "system":
      return step(state, narrateRetry(event, now));
    case "rate_limit_event":
      return step({ ...state, resetsAt: readReset(event) }, [["windows", readWindows(event.rate_limit_info)]]);
    case "control_request":
      return onRequest(state, event, inquiry);
    case "control_cancel_request":
      return onCanceled(state, event.request_id);
    case "control_response": {
      const isOpen = event.response.request_id === GREETING && event.response.subtype === "success";
      return step(state, [], isOpen ? [{ kind: "opened" }] : []);
    }
    case "result":
      return onResult(state, event);
  }
}

// The turn's result includes the usage of sub-agents, whose messages are in their own transcripts.
function followModel(state: ClaudeState, { message, parent_tool_use_id: parent }: EventOf<"assistant">): ClaudeState {
  if (parent != null || message.model === "<synthetic>") return state;
  return { ...state, lastMessage: message.id, model: message.model || null };
}

function onAnnounced(state: ClaudeState, uuid: string | undefined, now: number): ClaudeStep {
  if (state.awaited === null || state.awaited.uuid !== uuid) return step(state);
  return step({ ...state, awaited: announce(state.awaited, now) }, [], [{ kind: "watch-transcript" }]);
}

function onRequest(state: ClaudeState, event: EventOf<"control_request">, inquiry: Inquiry | null): ClaudeStep {
  const { request_id, request } = event;
  if (inquiry !== null) {
    const asked = inquiry.questions.map((question): ReportCall => ["asked", question]);
    return step({ ...state, inquiries: addInquiry(state.inquiries, inquiry) }, asked);
  }
  const error = `${request.subtype} is not supported`;
  const message = { type: "control_response", response: { subtype: "error", request_id, error } };
  const unknown: ReportCall = ["unknown", { kind: `control_request ${request.subtype}`, body: event }];
  return step(state, [unknown], [{ kind: "send", message }]);
}

function onCanceled(state: ClaudeState, requestId: string): ClaudeStep {
  const inquiry = state.inquiries.open.find((one) => one.requestId === requestId);
  if (inquiry === undefined) return step(state);
  const withdrawn = inquiry.questions.map(({ id }): ReportCall => ["withdrawn", id]);
  return step({ ...state, inquiries: dropInquiry(state.inquiries, inquiry) }, withdrawn);
}

function onResult(state: ClaudeState, result: Result): ClaudeStep {
  const { awaited, cost, model, isInterrupted, resetsAt } = state;
  const isAwaited = awaited !== null && result.user_message_uuids.includes(awaited.uuid);
  const usages = readUsage(result, { costBefore: cost, model });
  const over = { inquiries: NO_INQUIRIES, cost: result.total_cost_usd, isInterrupted: false, isRunning: false };
  const received = isAwaited ? accept(state) : step<ClaudeState, ClaudeRequest>(state);
  const counted = andThen(received, (next) => reportUsage(next, next.lastMessage, usages));
  const end = readEnd(result, { isInterrupted, resetsAt });
  return andThen(counted, (next) => step({ ...next, ...over }, [["ended", end]]));
}

function reportUsage(state: ClaudeState, last: string | null, usages: readonly Usage[]): ClaudeStep {
  const notes: readonly ClaudeRequest[] = last === null ? [] : [{ kind: "note", name: LAST_REPORTED, value: last }];
  return step(
    { ...state, lastMessage: last },
    usages.map((usage) => ["used", usage] as const),
    notes,
  );
}

function givePrompt(state: ClaudeState, { id: promptId, text }: Prompt, uuid: string): ClaudeStep {
  const awaited = { promptId, uuid, isMidTurn: state.isRunning, announcedAt: null };
  const message = { type: "user", uuid, message: { role: "user", content: [{ type: "text", text }] } };
  return step({ ...state, awaited }, [], [{ kind: "send", message }, { kind: "watch-transcript" }]);
}

function accept(state: ClaudeState): ClaudeStep {
  if (state.awaited === null) return step(state);
  return step({ ...state, awaited: null, isRunning: true }, [["accepted", state.awaited.promptId]]);
}

function answer(state: ClaudeState, questionId: string, choice: string): ClaudeStep {
  const { inquiries, complete, answers } = answerInquiry(state.inquiries, questionId, choice);
  const next = { ...state, inquiries };
  if (complete === null) return step(next);
  const response = { subtype: "success", request_id: complete.requestId, response: respond(complete, answers) };
  return step(next, [], [{ kind: "send", message: { type: "control_response", response } }]);
}

function readReset({ rate_limit_info: { status, resetsAt } }: EventOf<"rate_limit_event">): Date | null {
  return status === "rejected" && resetsAt !== undefined ? new Date(resetsAt * 1000) : null;
}
