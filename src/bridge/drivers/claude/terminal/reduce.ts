import type { Prompt, TurnEnd, Usage } from "../../../driver.ts";
import { andThen, type ReportCall, type Step, step } from "../../../kit/reducer.ts";
import { Blocks } from "../events.ts";
import { narrateResults, toToolUse } from "../narrate.ts";
import { describeTool } from "../permission.ts";
import { type Entry, isAnswer } from "../transcript.ts";
import { LAST_REPORTED } from "../usage.ts";
import { readFailure } from "./hooks.ts";
import { answer, ask, closeAll, closeAnswered, closeFor } from "./requests.ts";
import {
  type HookNotice,
  type TerminalNotice,
  type TerminalRequest,
  type TerminalState,
  type TerminalStep,
  TYPED_NOTE,
  type TypedPrompt,
} from "./state.ts";

/** The hook that ends a turn arrives at about the time when the program becomes idle. */
const IDLE_MS = 1500;

/** All decisions of the driver in a terminal. */
export function reduceTerminal(state: TerminalState, notice: TerminalNotice): TerminalStep {
  if (state.isClosing) return step(state);
  switch (notice.kind) {
    case "opened":
      return converse(state, notice.conversation, false);
    case "hook":
      return onHook(state, notice);
    case "unknown":
      return step(state, [["unknown", { kind: "hook", body: notice.text }]]);
    case "status":
      return onStatus(state, notice);
    case "input-cleared":
      return state.turnSince === notice.since ? endTurn(state, { kind: "interrupted" }) : step(state);
    case "prompt":
      return givePrompt(state, notice.prompt);
    case "typing": {
      const { id, text, from } = notice;
      return keepTyped({ ...state, isTypedAwaited: true }, { id, text, from, uuid: null });
    }
    case "held":
      return step(state, [["held", notice.id, notice.reason]]);
    case "prompt-found":
      return onPromptFound(state, notice.id, notice.uuid);
    case "turn-saved":
      return onTurnSaved(state, notice);
    case "used-before":
      return reportUsage(state, notice.last, notice.usages);
    case "answer":
      return withRequests(state, answer(state.requests, notice.questionId, notice.choice));
    case "interrupt":
      return interrupt(state);
    case "ended":
      return onProgramEnded(state, notice.how, notice.code);
    case "failed":
      return step(state, [["gone", notice.reason]]);
    case "close":
      return step({ ...state, isClosing: true });
  }
}

function converse(state: TerminalState, conversation: string, isSwitch: boolean): TerminalStep {
  const follow = { kind: "follow", conversation, isSwitch } as const;
  return step({ ...state, conversation }, [["conversation", conversation]], [follow]);
}

function onHook(state: TerminalState, notice: HookNotice): TerminalStep {
  const { event, now } = notice;
  switch (event.hook_event_name) {
    case "SessionStart": {
      // A person may start a new conversation, or return to another one.
      const isOther = event.session_id !== "" && event.session_id !== state.conversation;
      const begun = isOther ? converse(state, event.session_id, true) : step<TerminalState, TerminalRequest>(state);
      return andThen(begun, (next) => step(next, [], [{ kind: "begun" }]));
    }
    case "UserPromptSubmit":
      return onPrompt(state, event.prompt, now);
    case "PreToolUse":
      return onTool(state, notice);
    case "PermissionRequest":
      // Otherwise its script would wait forever, and people would be asked about a turn that is over.
      if (isLate(state, notice)) return step(state, [], [{ kind: "release", n: notice.n, answer: null }]);
      return withRequests(begin(state, now), ask(state.requests, notice));
    case "PostToolUse":
    case "PostToolUseFailure":
      return withRequests(state, closeFor(state.requests, event));
    case "Stop":
      return endTurn(state, { kind: "finished", summary: event.last_assistant_message });
    case "StopFailure":
      return endTurn(state, readFailure(event));
    case "SessionEnd":
      return step(state);
    default:
      return step(state, [["unknown", { kind: `hook ${event.hook_event_name}`, body: event }]]);
  }
}

// On a busy machine a hook may report long after its event, when the turn is already interrupted.
function isLate({ turnSince }: TerminalState, { own }: HookNotice): boolean {
  return turnSince === null && own?.status === "idle";
}

function begin(state: TerminalState, now: number): TerminalState {
  return state.turnSince === null ? { ...state, turnSince: now, isClearing: false } : state;
}

function givePrompt(state: TerminalState, prompt: Prompt): TerminalStep {
  return step({ ...state, given: { id: prompt.id, isInterrupted: false } }, [], [{ kind: "type", prompt }]);
}

function interrupt(state: TerminalState): TerminalStep {
  const { turnSince: since, given } = state;
  if (since !== null) return step(state, [], [{ kind: "press-escape", since }]);
  return step(given === null ? state : { ...state, given: { ...given, isInterrupted: true } });
}

function onPrompt(state: TerminalState, text: string, now: number): TerminalStep {
  const { typed, isTypedAwaited } = state;
  const closed = withRequests(begin(state, now), closeAll(state.requests));
  if (typed === null || !isTypedAwaited || !text.includes(typed.text)) {
    const reports: readonly ReportCall[] = [
      ["typed", text],
      ["working", "answering you in its terminal"],
    ];
    return andThen(closed, (next) => step(next, reports));
  }
  const isDue = state.given?.isInterrupted === true;
  const taken = andThen(closed, (next) =>
    step<TerminalState, TerminalRequest>(
      { ...next, isTypedAwaited: false, given: null },
      [],
      [{ kind: "find-prompt", typed }],
    ),
  );
  return isDue ? andThen(taken, interrupt) : taken;
}

function onTool(state: TerminalState, notice: HookNotice): TerminalStep {
  const { tool_use_id: id, tool_name: name, tool_input: input } = notice.event;
  const narrated = narrate(state, notice.entries);
  const tool: readonly ReportCall[] = id === undefined ? [] : [["tool", toToolUse(id, name, input)]];
  if (isLate(state, notice)) return andThen(narrated, (next) => step(next, tool));
  const [what] = describeTool(name, input).split("\n");
  return andThen(narrated, (next) => step(begin(next, notice.now), [...tool, ["working", what]]));
}

// No hook reports that a person interrupted a turn, or answered a question at the keyboard.
function onStatus(state: TerminalState, notice: Extract<TerminalNotice, { kind: "status" }>): TerminalStep {
  const { own, entries, now } = notice;
  const narrated = narrate(state, entries);
  const { turnSince: since } = state;
  if (since === null) return narrated;
  const closed = andThen(narrated, (next) => withRequests(next, closeAnswered(next.requests, own)));
  const isOver = own.status === "idle" && own.since >= since && now - own.since >= IDLE_MS;
  if (!isOver || state.isClearing) return closed;
  return andThen(closed, (next) => step({ ...next, isClearing: true }, [], [{ kind: "clear-input", since }]));
}

// It is accepted once the program has saved it: from then on it survives the program.
function onPromptFound(state: TerminalState, id: string, uuid: string | null): TerminalStep {
  const kept = state.typed?.id === id ? keepTyped(state, { ...state.typed, uuid }) : step(state);
  return andThen<TerminalState, TerminalRequest>(kept, (next) => step(next, [["accepted", id]]));
}

function endTurn(state: TerminalState, how: TurnEnd): TerminalStep {
  if (state.turnSince === null) return step(state);
  const over = { ...state, turnSince: null, isClearing: false };
  return andThen(withRequests(over, closeAll(state.requests)), (next) => step(next, [], [{ kind: "save-turn", how }]));
}

function onTurnSaved(state: TerminalState, notice: Extract<TerminalNotice, { kind: "turn-saved" }>): TerminalStep {
  const { how, entries, usages, last } = notice;
  const concluded = andThen(narrate(state, entries), (next) => conclude(next, how));
  const counted = andThen(concluded, (next) => reportUsage(next, last, usages));
  return andThen(counted, (next) => step(next, [["ended", how]]));
}

// The last words of a turn, unless the transcript already had them.
function conclude(state: TerminalState, how: TurnEnd): TerminalStep {
  if (how.kind !== "finished") return step(state);
  const isTold = how.summary.trim() === state.lastWords;
  return step({ ...state, lastWords: "" }, isTold ? [] : [["said", how.summary]]);
}

// A tool may be reported by a hook and by the transcript; the bridge shows it once.
function narrate(state: TerminalState, entries: readonly Entry[]): TerminalStep {
  const reports = entries.flatMap(narrateEntry);
  const words = reports.findLast(([name]) => name === "said")?.[1];
  return step(typeof words === "string" ? { ...state, lastWords: words.trim() } : state, reports);
}

function narrateEntry(entry: Entry): readonly ReportCall[] {
  const blocks = Blocks.safeParse(entry.message?.content).data ?? [];
  if (entry.type === "user") return narrateResults(blocks);
  if (!isAnswer(entry)) return [];
  return blocks.flatMap(({ type, text, id, name = "tool", input }): readonly ReportCall[] => {
    if (type === "text" && text) return [["said", text]];
    return type === "tool_use" && id !== undefined ? [["tool", toToolUse(id, name, input)]] : [];
  });
}

function reportUsage(state: TerminalState, last: string | null, usages: readonly Usage[]): TerminalStep {
  return step(
    state,
    usages.map((usage): ReportCall => ["used", usage]),
    last === null ? [] : [{ kind: "note", name: LAST_REPORTED, value: last }],
  );
}

function onProgramEnded(state: TerminalState, how: string, code: number | null): TerminalStep {
  return step(state, [
    code === 0 ? ["left", "Claude Code was closed at its terminal."] : ["gone", `Claude Code is gone: ${how}`],
  ]);
}

function keepTyped(state: TerminalState, typed: TypedPrompt): TerminalStep {
  return step({ ...state, typed }, [], [{ kind: "note", name: TYPED_NOTE, value: JSON.stringify(typed) }]);
}

function withRequests(
  state: TerminalState,
  { state: requests, reports, requests: wanted }: Step<TerminalState["requests"], TerminalRequest>,
): TerminalStep {
  return { state: { ...state, requests }, reports, requests: wanted };
}
