import type { TurnEnd } from "../../driver.ts";
import { andThen, type ReportCall, type Step, step } from "../../kit/reducer.ts";
import { answerQuestion, learnChanges, takeRequest, withdrawRequest } from "./approvals.ts";
import type { Opened } from "./handshake.ts";
import { describeToolUse, toToolResult, toToolUse } from "./items.ts";
import { type Item, type Notice, readNotification, type Turn } from "./messages.ts";
import { readWindows } from "./rate-windows.ts";
import {
  type CodexNotice,
  type CodexRequest,
  type CodexState,
  type CodexStep,
  NO_APPROVALS,
  type OpenTurn,
} from "./state.ts";
import { describeError, isLimit, readEnd } from "./turn-end.ts";
import { countTokens, startOver, useModel } from "./usage.ts";

/** All decisions of the driver. */
export function reduceCodex(state: CodexState, notice: CodexNotice): CodexStep {
  if (state.isClosing) return step(state);
  switch (notice.kind) {
    case "opening":
      return step({ ...state, threadId: notice.threadId });
    case "opened":
      return onOpened(state, notice.thread);
    case "message":
      return onMessage(state, notice.method, notice.params);
    case "request":
      return into(state, "approvals", takeRequest(state.approvals, state.rules, notice));
    case "prompt":
      return step({ ...state, turn: newTurn(notice.prompt.id) }, [], [{ kind: "start-turn", prompt: notice.prompt }]);
    case "prompt-taken":
      return state.turn?.promptId === notice.promptId ? nameTurn(state, notice.turnId) : step(state);
    case "prompt-refused":
      if (state.turn?.promptId !== notice.promptId) return step(state);
      return endTurn(state, { kind: "failed", reason: `Codex failed: ${notice.reason}` });
    case "answer":
      return into(state, "approvals", answerQuestion(state.approvals, notice.questionId, notice.choice));
    case "interrupt":
      return state.turn === null ? step(state) : interruptTurn(state, state.turn);
    case "close":
      // A server shared with a person's interface finishes its turn before it ends.
      return step({ ...state, isClosing: true }, [], state.rules.isShared ? interruptions(state.turn) : []);
  }
}

function onOpened(state: CodexState, { threadId, model, past, reason }: Opened): CodexStep {
  const named = step({ ...state, threadId }, [["conversation", threadId]] as const);
  const counted = andThen<CodexState, CodexRequest>(named, (next) => into(next, "meter", useModel(next.meter, model)));
  if (past !== "lost") return counted;
  const what = `Codex did not find its earlier conversation (${reason})`;
  const said: ReportCall = ["said", `${what}; starting a new one that gets the earlier messages.`];
  return andThen(
    andThen(counted, (next) => into(next, "meter", startOver(next.meter))),
    (next) => step(next, [said]),
  );
}

function onMessage(state: CodexState, method: string, params: unknown): CodexStep {
  const read = readNotification(method, params, state.threadId);
  if (read.kind === "notice") return onNotice(state, read.notice);
  return read.kind === "unused" ? step(state) : step(state, [["unknown", { kind: method, body: params }]]);
}

function onNotice(state: CodexState, notice: Notice): CodexStep {
  switch (notice.method) {
    case "turn/started":
      return onTurnStarted(state, notice.params.turn);
    case "turn/completed":
      return onTurnCompleted(state, notice.params.turn);
    case "item/started":
      return onItemStarted(state, notice.params.item);
    case "item/completed":
      return onItemCompleted(state, notice.params.item);
    case "thread/tokenUsage/updated":
      return into(state, "meter", countTokens(state.meter, notice.params.tokenUsage.total));
    case "account/rateLimits/updated":
      return step({ ...state, limits: notice.params.rateLimits }, [["windows", readWindows(notice.params.rateLimits)]]);
    case "serverRequest/resolved":
      return into(state, "approvals", withdrawRequest(state.approvals, notice.params.requestId));
    case "error":
      return onError(state, notice.params);
  }
}

// Without our prompt, only a person in the program's own interface can have started it.
function onTurnStarted(state: CodexState, { id }: Turn): CodexStep {
  if (state.turn !== null) return nameTurn(state, id);
  if (!state.rules.isShared) return step(state);
  return step({ ...state, turn: { ...newTurn(null), id } }, [["working"]]);
}

function onTurnCompleted(state: CodexState, done: Turn): CodexStep {
  const { turn, limits } = state;
  if (turn === null || (turn.id !== null && turn.id !== done.id)) return step(state);
  return endTurn(state, readEnd(done, { lastWords: turn.lastWords, limits }));
}

function onItemStarted(state: CodexState, item: Item): CodexStep {
  const next = { ...state, approvals: learnChanges(state.approvals, item) };
  const use = toToolUse(item);
  if (use === null || state.turn === null) return step(next);
  const [note] = describeToolUse(use).split("\n");
  return step(next, [
    ["tool", use],
    ["working", note],
  ]);
}

// Once the program reports our message, it is in the program's records.
function onItemCompleted(state: CodexState, item: Item): CodexStep {
  const { type, clientId, text } = item;
  const { turn } = state;
  if (type === "userMessage") {
    const isOurs = clientId != null && clientId === turn?.promptId;
    return step(state, [isOurs ? ["accepted", clientId] : ["typed", textOf(item)]]);
  }
  const result: ReportCall = ["toolResult", item.id, toToolResult(item)];
  if (type !== "agentMessage" || turn === null || !text) return step(state, [result]);
  return step({ ...state, turn: { ...turn, lastWords: text } }, [result, ["said", text]]);
}

function onError(state: CodexState, { error, willRetry }: Extract<Notice, { method: "error" }>["params"]): CodexStep {
  if (!willRetry) return step(state);
  const note = `${describeError(error)}; it tries again.`;
  return step(state, [isLimit(error) ? ["limited", null, note] : ["working", note]]);
}

function newTurn(promptId: string | null): OpenTurn {
  return { promptId, id: null, isInterrupted: false, lastWords: "" };
}

// An interrupt may arrive before the program has named the turn.
function nameTurn(state: CodexState, id: string): CodexStep {
  if (state.turn === null || state.turn.id !== null) return step(state);
  const turn = { ...state.turn, id };
  return step({ ...state, turn }, [], turn.isInterrupted ? interruptions(turn) : []);
}

function interruptTurn(state: CodexState, turn: OpenTurn): CodexStep {
  return step({ ...state, turn: { ...turn, isInterrupted: true } }, [], interruptions(turn));
}

function interruptions(turn: OpenTurn | null): readonly CodexRequest[] {
  const turnId = turn?.id ?? null;
  return turnId === null ? [] : [{ kind: "interrupt-turn", turnId }];
}

function endTurn(state: CodexState, how: TurnEnd): CodexStep {
  return step({ ...state, turn: null, approvals: NO_APPROVALS }, [["ended", how]]);
}

// Lifts a step of one part of the state to the whole state.
function into<Part extends "approvals" | "meter">(
  state: CodexState,
  part: Part,
  { state: next, reports, requests }: Step<CodexState[Part], CodexRequest>,
): CodexStep {
  return { state: { ...state, [part]: next }, reports, requests };
}

function textOf({ content }: Item): string {
  return content.map(({ text }) => text ?? "").join(" ");
}
