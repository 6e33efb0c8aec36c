import type { TurnEnd } from "../../driver.ts";
import { andThen, lift, type ReportCall, step } from "../../kit/reducer.ts";
import { answerQuestion, askPermission, askQuestions, learnInput, NO_APPROVALS, withdrawRequest } from "./approvals.ts";
import { type Event, isUnknown, type Part, parseEvent, type Status } from "./messages.ts";
import { promptOf } from "./past.ts";
import {
  type InspectedNotice,
  newTurn,
  type OpencodeNotice,
  type OpencodeRequest,
  type OpencodeState,
  type OpencodeStep,
  type Turn,
} from "./state.ts";
import { describeCall, toToolResult, toToolUse } from "./tools.ts";
import { readEnd, readWait } from "./turn-end.ts";
import { count, startOver } from "./usage.ts";

/** All decisions of the driver. */
export function reduceOpencode(state: OpencodeState, notice: OpencodeNotice): OpencodeStep {
  switch (notice.kind) {
    case "opened":
      return onOpened(state, notice);
    case "event":
      return onEvent(state, notice.event);
    case "gap":
      return step(state, [], [{ kind: "inspect" }]);
    case "inspected":
      return onInspected(state, notice);
    case "end-read":
      return onEndRead(state, notice);
    case "usage-read":
      return andThen<OpencodeState, OpencodeRequest>(lift(state, "meter", count(state.meter, notice.used)), finish);
    case "prompt":
      return onPrompt(state, notice.prompt);
    case "prompt-refused":
      return state.turn?.number === notice.turn ? end(state, failed(notice.reason)) : step(state);
    case "prompt-overdue":
      if (state.turn?.number !== notice.turn || state.turn.isAccepted) return step(state);
      return step({ ...state, turn: { ...state.turn, isOverdue: true } }, [], [{ kind: "inspect" }]);
    case "answer":
      return lift(state, "approvals", answerQuestion(state.approvals, notice.questionId, notice.choice));
    case "interrupt":
      if (state.turn === null) return step(state);
      return step(
        { ...state, turn: { ...state.turn, isInterrupted: true } },
        [],
        state.turn.isRunning ? abort(state) : [],
      );
  }
}

type OpenedNotice = Extract<OpencodeNotice, { readonly kind: "opened" }>;

function onOpened(state: OpencodeState, { opened, own, used }: OpenedNotice): OpencodeStep {
  const { sessionId, past, reason } = opened;
  const next = { ...state, sessionId, family: new Set([sessionId]), own };
  const named = step<OpencodeState, OpencodeRequest>(next, [["conversation", sessionId]]);
  if (used !== null) return andThen(named, (now) => lift(now, "meter", count(now.meter, used)));
  if (past !== "lost") return named;
  const what = `OpenCode did not find its earlier conversation (${reason})`;
  const said: ReportCall = ["said", `${what}; starting a new one that gets the earlier messages.`];
  const counted = andThen(named, (now) => lift(now, "meter", startOver(now.meter)));
  return andThen(counted, (now) => step(now, [said]));
}

function onEvent(before: OpencodeState, value: unknown): OpencodeStep {
  const event = parseEvent(value);
  if (event === null || before.sessionId === null) return step(before);
  if (isUnknown(event)) {
    const isOurs = before.family.has(event.sessionID);
    return step(before, isOurs ? [["unknown", { kind: event.kind, body: event.body }]] : []);
  }
  const state = event.type === "session.created" ? adopt(before, event.properties) : before;
  const { sessionID } = event.properties;
  return state.family.has(sessionID) ? onOwnEvent(state, event, sessionID === state.sessionId) : step(state);
}

// A sub-agent has its own session.
function adopt(
  state: OpencodeState,
  { sessionID, info }: Extract<Event, { readonly type: "session.created" }>["properties"],
): OpencodeState {
  return state.family.has(info.parentID ?? "") ? { ...state, family: new Set([...state.family, sessionID]) } : state;
}

function onOwnEvent(state: OpencodeState, event: Event, isMain: boolean): OpencodeStep {
  switch (event.type) {
    case "session.created":
      return step(state);
    case "session.status":
      return onStatus(state, event.properties.status, isMain);
    case "session.error":
      if (!isMain || state.turn === null || !state.turn.isAccepted) return step(state);
      return step({ ...state, turn: { ...state.turn, failure: state.turn.failure ?? event.properties.error ?? null } });
    case "session.compacted":
      return step(state, [["noted", "shortened the conversation"]]);
    case "message.part.updated":
      return onPart(state, event.properties.part, isMain);
    case "permission.asked":
      return lift(state, "approvals", askPermission(state.approvals, state, event.properties));
    case "question.asked":
      return lift(state, "approvals", askQuestions(state.approvals, event.properties));
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return lift(state, "approvals", withdrawRequest(state.approvals, event.properties.requestID));
  }
}

function onStatus(state: OpencodeState, status: Status, isMain: boolean): OpencodeStep {
  if (status.type === "idle") return isMain ? endIfIdle(state) : step(state);
  const running = isMain ? run(state) : step<OpencodeState, OpencodeRequest>(state);
  return andThen(running, (now) => (now.turn === null ? step(now) : onBusy(now, now.turn, status)));
}

function onBusy(state: OpencodeState, turn: Turn, status: Status): OpencodeStep {
  if (status.type === "retry") {
    const { isLimit, until, note } = readWait(status);
    const report: ReportCall = isLimit ? ["limited", until, note] : ["working", note];
    return step({ ...state, turn: { ...turn, isWaiting: true } }, [report]);
  }
  return turn.isWaiting ? step({ ...state, turn: { ...turn, isWaiting: false } }, [["working"]]) : step(state);
}

// A turn without our prompt was started by a person at the program's own screen.
function run(state: OpencodeState): OpencodeStep {
  const { turn } = state;
  if (turn?.isRunning) return step(state);
  if (turn !== null)
    return step({ ...state, turn: { ...turn, isRunning: true } }, [], turn.isInterrupted ? abort(state) : []);
  const turnCount = state.turnCount + 1;
  const begun = { ...newTurn(turnCount, null), isAccepted: true, isRunning: true };
  return step({ ...state, turn: begun, turnCount }, [["working"]]);
}

function onPrompt(
  state: OpencodeState,
  prompt: Extract<OpencodeNotice, { readonly kind: "prompt" }>["prompt"],
): OpencodeStep {
  const turnCount = state.turnCount + 1;
  const turn = newTurn(turnCount, prompt.id);
  return step({ ...state, turn, turnCount }, [], [{ kind: "send-prompt", prompt, turn: turnCount }]);
}

function onPart(state: OpencodeState, part: Part, isMain: boolean): OpencodeStep {
  return andThen(accept(state, promptOf(part)), (now) => {
    if (now.turn === null) return step(now);
    if (part.type === "tool") return showTool(now, part);
    if (part.type === "step-finish") return step(now, [], [{ kind: "read-usage" }]);
    return part.type === "text" && part.time?.end != null && isMain ? showWords(now, now.turn, part) : step(now);
  });
}

function accept(state: OpencodeState, promptId: string | null): OpencodeStep {
  const { turn } = state;
  if (promptId === null || turn?.promptId !== promptId || turn.isAccepted) return step(state);
  return step({ ...state, turn: { ...turn, isAccepted: true } }, [["accepted", promptId]]);
}

function showWords(state: OpencodeState, turn: Turn, { id, text }: Part): OpencodeStep {
  if (state.shown.has(id) || text === "") return step(state);
  return step({ ...state, turn: { ...turn, lastWords: text }, shown: new Set([...state.shown, id]) }, [["said", text]]);
}

function showTool(before: OpencodeState, part: Part): OpencodeStep {
  const state = { ...before, approvals: learnInput(before.approvals, part) };
  if (part.state?.status === "pending") return step(state);
  const result = toToolResult(part);
  const results: readonly ReportCall[] = result === null ? [] : [["toolResult", part.id, result]];
  if (state.shown.has(part.id)) return step(state, results);
  const use: readonly ReportCall[] = [
    ["tool", toToolUse(part)],
    ["working", describeCall(part).split("\n")[0]],
  ];
  return step({ ...state, shown: new Set([...state.shown, part.id]) }, [...use, ...results]);
}

function onInspected(state: OpencodeState, seen: InspectedNotice): OpencodeStep {
  const { family } = state;
  const follow = [
    ...(seen.isAtWork ? [run] : []),
    ...seen.promptIds.map((id) => (now: OpencodeState) => accept(now, id)),
    // The program fails to send events about some of its questions.
    ...seen.permissions
      .filter(({ sessionID }) => family.has(sessionID))
      .map((asked) => (now: OpencodeState) => lift(now, "approvals", askPermission(now.approvals, now, asked))),
    ...seen.questions
      .filter(({ sessionID }) => family.has(sessionID))
      .map((asked) => (now: OpencodeState) => lift(now, "approvals", askQuestions(now.approvals, asked))),
    giveUpIfOverdue,
    endIfIdle,
  ];
  return follow.reduce<OpencodeStep>(andThen, step(state));
}

// Whatever went wrong with the prompt, the next message must not wait forever.
function giveUpIfOverdue(state: OpencodeState): OpencodeStep {
  if (state.turn === null || !state.turn.isOverdue || state.turn.isAccepted) return step(state);
  return end(state, failed("OpenCode did not take the message, and gave no reason."));
}

// The program reports idle a moment too early: its records show whether the turn is over.
function endIfIdle(state: OpencodeState): OpencodeStep {
  return step(state, [], state.turn?.isAccepted ? [{ kind: "read-end" }] : []);
}

type EndNotice = Extract<OpencodeNotice, { readonly kind: "end-read" }>;

function onEndRead(state: OpencodeState, { isAtWork, last, now }: EndNotice): OpencodeStep {
  const { turn } = state;
  if (turn === null || isAtWork) return step(state);
  const isInterrupted = turn.isInterrupted && turn.isRunning;
  const outcome = readEnd(last, { ...turn, isInterrupted }, now);
  return outcome === null ? step(state) : step({ ...state, turn: { ...turn, outcome } }, [], [{ kind: "read-usage" }]);
}

function finish(state: OpencodeState): OpencodeStep {
  const outcome = state.turn?.outcome ?? null;
  return outcome === null ? step(state) : end(state, outcome);
}

function end(state: OpencodeState, how: TurnEnd): OpencodeStep {
  return step({ ...state, turn: null, shown: new Set(), approvals: NO_APPROVALS }, [["ended", how]]);
}

function failed(reason: string): TurnEnd {
  return { kind: "failed", reason };
}

// The end of the turn reports the result.
function abort({ sessionId }: OpencodeState): readonly OpencodeRequest[] {
  return [{ kind: "post", path: `/session/${sessionId}/abort` }];
}
