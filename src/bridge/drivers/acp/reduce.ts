import type { TurnEnd, UnknownNotice } from "../../driver.ts";
import { andThen, lift, type Reducer, type Step, step } from "../../kit/reducer.ts";
import { METHOD_NOT_FOUND } from "../../kit/rpc.ts";
import { addPiece, NO_SPEECH, pauseSpeech } from "../../kit/speech.ts";
import { readFailure } from "../../kit/turn-end.ts";
import type { Choices, Opened } from "./handshake.ts";
import { PromptAnswer, parsePermissionRequest, parseUpdate, type Update } from "./messages.ts";
import { answer, ask, cancelAll, type Rules, select } from "./permissions.ts";
import { showTool } from "./show-tool.ts";
import type { AcpNotice, AcpRequest, AcpState, AskedNotice } from "./state.ts";
import { readError, readStop } from "./turn-end.ts";
import { addAnswer, addCall, resetMeter, setCost } from "./usage.ts";

type AcpStep = Step<AcpState, AcpRequest>;

const INVALID_PARAMS = -32602;

/** Creates the driver's reducer for one session. */
export function createAcpReducer(rules: Rules): Reducer<AcpState, AcpNotice, AcpRequest> {
  return (state, notice) => {
    switch (notice.kind) {
      case "started":
        return step({ ...state, sessionId: notice.known });
      case "opened":
        return open(state, notice.opened, rules);
      case "ready":
        return ready(state, notice);
      case "notified":
        return onNotified(state, notice, rules);
      case "asked":
        return onAsked(state, notice, rules);
      case "prompt":
        return begin(state, notice);
      case "answered":
        return endByAnswer(state, notice, rules);
      case "refused":
        return endByError(state, notice, rules);
      case "answer":
        return lift(state, "questions", answer(state.questions, notice.questionId, notice.choice));
      case "interrupt":
        return interrupt(state);
    }
  };
}

function open(state: AcpState, opened: Omit<Opened, "state">, { settings }: Rules): AcpStep {
  const { sessionId, canLoad, past, reason } = opened;
  const next = step<AcpState, AcpRequest>({ ...state, sessionId }, [["conversation", sessionId, { resume: canLoad }]]);
  if (past !== "lost") return next;
  const lost = `${settings.name} did not find its earlier conversation (${reason})`;
  return andThen(next, (now) => {
    const reset = lift<AcpState, "meter", AcpRequest>(now, "meter", resetMeter(now.meter));
    return { ...reset, reports: [["said", `${lost}; starting a new one that gets the earlier messages.`]] };
  });
}

function ready(state: AcpState, { model, mode, note }: Choices): AcpStep {
  const meter = { ...state.meter, model: model ?? state.meter.model };
  return step({ ...state, isOpen: true, mode, meter }, note === null ? [] : [["noted", note]]);
}

function onNotified(
  state: AcpState,
  { method, params }: { readonly method: string; readonly params: unknown },
  rules: Rules,
): AcpStep {
  // Names with an underscore are vendor extensions, which clients may ignore.
  if (method.startsWith("_")) return step(state);
  if (method !== "session/update") return step(state, [["unknown", { kind: method, body: params }]]);
  const update = parseUpdate(params, state.sessionId);
  if (update === null) return step(state);
  return isUnknown(update) ? step(state, [["unknown", update]]) : onUpdate(state, update, rules);
}

function isUnknown(update: Update | UnknownNotice): update is UnknownNotice {
  return !("sessionUpdate" in update);
}

function onUpdate(state: AcpState, update: Update, rules: Rules): AcpStep {
  if (!state.isOpen) {
    const isReplay = update.sessionUpdate === "user_message_chunk";
    return step(state, [], isReplay ? [{ kind: "replayed", text: update.content.text ?? "" }] : []);
  }
  // It reports the cost of the conversation, does not confirm a prompt, and may arrive late.
  if (update.sessionUpdate === "usage_update") {
    const isDollars = update.cost?.currency === "USD";
    return isDollars ? lift(state, "meter", setCost(state.meter, update.cost?.amount ?? 0)) : step(state);
  }
  if (update.sessionUpdate === "current_mode_update") return onMode(state, update.currentModeId, rules);
  return state.turn === null ? step(state) : andThen(accept(state), (now) => onWork(now, update, rules));
}

// A person's answer may change the mode; nothing else should without a word.
function onMode(state: AcpState, mode: string, { settings }: Rules): AcpStep {
  if (mode === state.mode) return step(state);
  const before = state.mode === null ? "" : ` (it was in ${state.mode})`;
  return step({ ...state, mode }, [["noted", `${settings.name} is now in its mode ${mode}${before}.`]]);
}

function onWork(state: AcpState, update: Update, { settings }: Rules): AcpStep {
  if (update.sessionUpdate === "agent_message_chunk") {
    const usage = update._meta?.usage;
    const counted: AcpStep = usage == null ? step(state) : lift(state, "meter", addCall(state.meter, usage));
    return andThen(counted, (now) => lift(now, "speech", addPiece(now.speech, update.content.text ?? "")));
  }
  return andThen(pause(state), (now) => {
    if (update.sessionUpdate === "plan") return onPlan(now, update.entries);
    if (update.sessionUpdate === "notice") return step(now, [["noted", noticeText(update)]]);
    const isTool = update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update";
    return isTool ? showTool(now, update, { isAsked: false, ...settings }) : step(now);
  });
}

function noticeText({ title, description }: Extract<Update, { readonly sessionUpdate: "notice" }>): string {
  return description == null || description === "" ? title : `${title}: ${description}`;
}

function onPlan(state: AcpState, entries: Extract<Update, { readonly sessionUpdate: "plan" }>["entries"]): AcpStep {
  const done = entries.filter(({ status }) => status === "completed").length;
  const current = entries.find(({ status }) => status === "in_progress")?.content;
  const plan = `plan: ${done} of ${entries.length} done${current === undefined ? "" : `, now: ${current}`}`;
  return step({ ...state, plan }, plan === state.plan ? [] : [["noted", plan]]);
}

function onAsked(state: AcpState, asked: AskedNotice, rules: Rules): AcpStep {
  const { requestId, method, params } = asked;
  if (method !== "session/request_permission") {
    const refuse = { kind: "refuse", requestId, code: METHOD_NOT_FOUND, message: `${method} is not offered` } as const;
    return step(state, [["unknown", { kind: method, body: params }]], [refuse]);
  }
  if (state.turn === null) return step(state, [], [select(requestId, null)]);
  const request = parsePermissionRequest(params);
  if (request === null) {
    const message = "The question is not of the protocol's form.";
    const refuse = { kind: "refuse", requestId, code: INVALID_PARAMS, message } as const;
    return step(state, [["unknown", { kind: method, body: params }]], [refuse]);
  }
  const { toolCall, options } = request;
  const known = andThen(andThen(accept(state), pause), (now) =>
    showTool(now, toolCall, { isAsked: true, ...rules.settings }),
  );
  return andThen(known, (now) => {
    const tool = now.tools.get(toolCall.toolCallId);
    if (tool === undefined) return step(now);
    return lift(now, "questions", ask(now.questions, { id: asked.questionId, requestId, options, tool }, rules));
  });
}

function begin(state: AcpState, { prompt }: Extract<AcpNotice, { readonly kind: "prompt" }>): AcpStep {
  const turn = { promptId: prompt.id, isAccepted: false, isInterrupted: false };
  const next = { ...state, turn, speech: NO_SPEECH, shown: new Set<string>() };
  // The protocol has no receipt: without this report, a turn with a slow model would look idle.
  return step(next, [["working"]], [{ kind: "prompt", prompt }]);
}

function accept(state: AcpState): AcpStep {
  const { turn } = state;
  if (turn === null || turn.isAccepted) return step(state);
  return step({ ...state, turn: { ...turn, isAccepted: true } }, [["accepted", turn.promptId]]);
}

function pause(state: AcpState): AcpStep {
  return lift(state, "speech", pauseSpeech(state.speech));
}

function interrupt(state: AcpState): AcpStep {
  const { turn } = state;
  if (turn === null) return step(state);
  const cancelled: AcpStep = lift(state, "questions", cancelAll(state.questions));
  return andThen(cancelled, (now) =>
    step({ ...now, turn: { ...turn, isInterrupted: true } }, [], [{ kind: "cancel" }]),
  );
}

function endByAnswer(
  state: AcpState,
  notice: Extract<AcpNotice, { readonly kind: "answered" }>,
  { settings }: Rules,
): AcpStep {
  // Any answer ends the turn, even one that is not of the protocol's form.
  const given = PromptAnswer.safeParse(notice.answer).data ?? PromptAnswer.parse({});
  const counted: AcpStep = lift(state, "meter", addAnswer(state.meter, given));
  const { last, lastPiece } = state.speech;
  const isFailure = settings.errorPrefix !== undefined && lastPiece.startsWith(settings.errorPrefix);
  const end =
    isFailure && given.stopReason !== "cancelled"
      ? readFailure(lastPiece.trim().replace(/\s*\n\s*/g, " "), settings, notice.now)
      : readStop(given.stopReason, last.trim(), settings);
  return andThen(counted, (now) => endTurn(now, end));
}

function endByError(
  state: AcpState,
  { error, now }: Extract<AcpNotice, { readonly kind: "refused" }>,
  { settings }: Rules,
): AcpStep {
  return endTurn(state, state.turn?.isInterrupted ? { kind: "interrupted" } : readError(error, settings, now));
}

function endTurn(state: AcpState, end: TurnEnd): AcpStep {
  const complete = andThen(pause(state), accept);
  const cancelled = andThen(complete, (now): AcpStep => lift(now, "questions", cancelAll(now.questions)));
  return andThen(cancelled, (now) => step({ ...now, turn: null }, [["ended", end]]));
}
