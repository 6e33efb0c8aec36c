import type { SessionEvent } from "./events.ts";
import {
  isLeftBehind,
  isPending,
  MAX_END_TRIES,
  MAX_SILENT_ATTEMPTS,
  type Message,
  type SessionState,
} from "./state.ts";

/** A run that lived this long was not stillborn. */
const LONG_LIFE_MS = 60_000;

/** One that ended badly within this time is not started again at once for ever, whatever it got done. */
const QUICK_END_MS = 10_000;

type RunEvent = Extract<SessionEvent, { readonly type: `run.${string}` }>;

/** Run events: a run starts, lives and ends once; what its end means for messages is decided here. */
export function evolveRun(state: SessionState, event: RunEvent, at: number): SessionState {
  const run = state.run;
  switch (event.type) {
    case "run.starting":
      return {
        ...state,
        run: {
          ...run,
          state: "starting",
          n: event.run,
          runtime: state.runtime,
          pid: null,
          messageId: event.messageId,
          code: null,
          evidence: null,
          startedAt: at,
          endedAt: null,
          progressed: false,
          endFailures: 0,
          endTries: MAX_END_TRIES,
        },
      };
    case "run.started":
      return event.run === run.n && run.state === "starting"
        ? {
            ...state,
            run: { ...run, state: "alive", pid: event.pid },
            activity: startedActivity(state, at),
          }
        : state;
    case "run.end-failed":
      return event.run === run.n
        ? { ...state, run: { ...run, endFailures: run.endFailures + 1, evidence: event.reason } }
        : state;
    case "run.ended":
      return event.run === run.n && run.state !== "ended" ? ended(state, event, at) : state;
  }
}

// A process that was started with nothing to do (after a restore, say) waits for a message; only work can get stuck.
function startedActivity(state: SessionState, at: number): SessionState["activity"] {
  const hasWork =
    state.turn !== null ||
    state.run.messageId !== null ||
    state.messages.some((message) => isPending(message, state.input));
  return hasWork
    ? { state: "working", note: null, evidence: "agent started", at }
    : { state: "idle", note: null, evidence: "agent started, waiting for a message", at };
}

function ended(
  state: SessionState,
  event: Extract<RunEvent, { readonly type: "run.ended" }>,
  at: number,
): SessionState {
  const failed = event.code !== 0;
  const isMoving = state.phase === "open" && isLeftBehind(state);
  const messages = state.messages.map((message) => afterEnd(message, state, event));
  return {
    ...state,
    run: {
      ...state.run,
      // One that was ended so that its folder can be made again, or for a move, is wanted there, even if it left with code 0.
      state: isMoving || (state.phase === "open" && state.workspace.state === "none") ? "none" : "ended",
      pid: null,
      code: event.code,
      evidence: event.evidence,
      endedAt: at,
      failures: isMoving || endedWell(state, event.code, at) ? 0 : state.run.failures + 1,
      quickEnds: !isMoving && failed && at - (state.run.startedAt ?? at) < QUICK_END_MS ? state.run.quickEnds + 1 : 0,
    },
    // A question dies with the process that asked it; the next run asks again.
    question: null,
    turn: state.input === "inbox" ? state.turn : null,
    turns: state.input === "inbox" ? state.turns : state.turns + 1,
    messages,
    activity: {
      state: failed && state.input === "file" ? "errored" : "none",
      note: failed && state.input === "file" ? `the turn failed: ${event.evidence}` : null,
      evidence: event.evidence,
      at,
    },
  };
}

// Progress, a long life, or leaving with nothing left to do: such an end does not count against the agent.
function endedWell(state: SessionState, code: number | null, at: number): boolean {
  if (state.run.progressed || at - (state.run.startedAt ?? at) > LONG_LIFE_MS) return true;
  return code === 0 && state.turn === null && !state.messages.some((message) => isPending(message, state.input));
}

// An answer goes with its question, an interrupt with the turn that it was for. A one-message process is settled by its own events (message.accepted, failed,
// unknown), and a typed text stays typed.
function afterEnd(
  message: Message,
  state: SessionState,
  event: Extract<RunEvent, { readonly type: "run.ended" }>,
): Message {
  if ((message.kind === "answer" || message.kind === "interrupt") && message.status === "queued") {
    return { ...message, status: "withdrawn", text: null, reason: event.evidence };
  }
  if (message.run !== event.run || message.status !== "written" || state.input !== "inbox") return message;
  if (event.code === 0 && message.attempt >= MAX_SILENT_ATTEMPTS && !isLeftBehind(state)) {
    const reason = `the agent left with code 0 ${message.attempt} times without confirming it`;
    return { ...message, status: "unknown", reason };
  }
  return {
    ...message,
    status: "queued",
    attempt: message.attempt + 1,
    run: null,
    reason: "the agent died before it confirmed",
  };
}
