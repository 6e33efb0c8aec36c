import type { SessionEvent } from "./events.ts";
import { isAtRest } from "./hibernate.ts";
import {
  isLeftBehind,
  isPending,
  isToLeave,
  MAX_END_TRIES,
  MAX_SILENT_ATTEMPTS,
  type Message,
  type RunFacts,
  type SessionState,
} from "./state.ts";

/** A run that lived this long did not fail at its start. */
const LONG_LIFE_MS = 60_000;

/** A run that ended badly within this time is not restarted at once forever, whatever it achieved. */
const QUICK_END_MS = 10_000;

type RunEvent = Extract<SessionEvent, { readonly type: `run.${string}` }>;

/** Run events: a run starts, lives and ends once; what its end means for messages is decided here. */
export function evolveRun(state: SessionState, event: RunEvent, at: number): SessionState {
  if (event.type === "run.starting") return { ...state, run: starting(state, event, at) };
  return event.run === state.run.n ? evolveCurrent(state, event, at) : state;
}

type Starting = Extract<RunEvent, { readonly type: "run.starting" }>;

function starting({ run, runtime }: SessionState, { run: n, messageId, onlyHosts }: Starting, at: number): RunFacts {
  return {
    ...fresh(run),
    ...(onlyHosts === undefined ? {} : { onlyHosts }),
    state: "starting",
    n,
    runtime,
    pid: null,
    messageId,
    code: null,
    evidence: null,
    startedAt: at,
    endedAt: null,
    progressed: false,
    endFailures: 0,
    endTries: MAX_END_TRIES,
  };
}

function evolveCurrent(state: SessionState, event: Exclude<RunEvent, Starting>, at: number): SessionState {
  const { run } = state;
  const isAlive = run.state === "alive";
  switch (event.type) {
    case "run.started":
      return run.state === "starting"
        ? { ...state, run: { ...run, state: "alive", pid: event.pid }, activity: startedActivity(state, at) }
        : state;
    case "run.hibernating":
      return isAlive ? { ...state, run: { ...run, hibernation: "ending" } } : state;
    case "run.network-restricted":
      return isAlive ? { ...state, run: withHosts(run, event.hosts) } : state;
    case "run.restrict-failed":
      return isAlive ? { ...state, run: { ...run, restrictFailed: true, evidence: event.reason } } : state;
    case "run.end-failed":
      return { ...state, run: endFailed(run, event.reason) };
    case "run.ended":
      return run.state === "ended" ? state : ended(state, event, at);
  }
}

// What applied to the run before it does not apply to a new one.
function fresh(run: RunFacts): RunFacts {
  const { onlyHosts: _, hostChanges: __, restrictFailed: ___, ...rest } = awake(run);
  return rest;
}

function withHosts(run: RunFacts, hosts: readonly string[] | null): RunFacts {
  const { onlyHosts: _, ...rest } = run;
  const hostChanges = (run.hostChanges ?? 0) + 1;
  return hosts === null ? { ...rest, hostChanges } : { ...rest, hostChanges, onlyHosts: hosts };
}

function awake({ hibernation: _, ...run }: RunFacts): RunFacts {
  return run;
}

// A run that cannot be ended is not hibernating: it gets its messages, and its death is a death.
function endFailed(run: RunFacts, reason: string): RunFacts {
  const failed = { ...run, endFailures: run.endFailures + 1, evidence: reason };
  return failed.endFailures >= failed.endTries ? awake(failed) : failed;
}

// A process that was started with nothing to do (for example after a restore) waits for a message; only work can get
// stuck.
function startedActivity(state: SessionState, at: number): SessionState["activity"] {
  const hasWork =
    state.turn !== null ||
    state.run.messageId !== null ||
    state.messages.some((message) => isPending(message, state.input));
  return hasWork
    ? { state: "working", note: null, evidence: "agent started", at }
    : { state: "idle", note: null, evidence: "agent started, waiting for a message", at };
}

type Ended = Extract<RunEvent, { readonly type: "run.ended" }>;

function ended(state: SessionState, event: Ended, at: number): SessionState {
  const failed = event.code !== 0;
  const isOnPurpose = state.phase === "open" && isToLeave(state);
  const messages = state.messages.map((message) => afterEnd(message, state, event));
  return {
    ...state,
    run: {
      ...state.run,
      ...stateAfterEnd(state, isOnPurpose),
      pid: null,
      code: event.code,
      evidence: event.evidence,
      endedAt: at,
      failures: isOnPurpose || endedWell(state, event.code, at) ? 0 : state.run.failures + 1,
      quickEnds:
        !isOnPurpose && failed && at - (state.run.startedAt ?? at) < QUICK_END_MS ? state.run.quickEnds + 1 : 0,
    },
    // A question ends with the process that asked it; the next run asks again.
    question: null,
    turn: state.input === "inbox" ? state.turn : null,
    turns: state.input === "inbox" ? state.turns : state.turns + 1,
    messages,
    // A hibernated agent has been idle since it went idle, not since its process ended.
    activity: canSleep(state) ? state.activity : activityAfterEnd(state, event, at),
  };
}

// A run that was ended for a move, or to recreate its folder, is wanted there, even if it exited with code 0. So is one
// that got something to do while it was being ended for hibernation.
function stateAfterEnd(state: SessionState, isOnPurpose: boolean): Pick<RunFacts, "state" | "hibernation"> {
  if (canSleep(state)) return { state: "ended", hibernation: "asleep" };
  const isRebuilt = state.phase === "open" && state.workspace.state === "none";
  return { state: isOnPurpose || isRebuilt ? "none" : "ended" };
}

function canSleep(state: SessionState): boolean {
  const { phase, run, workspace } = state;
  if (phase !== "open" || run.hibernation !== "ending" || workspace.state === "none") return false;
  return !isLeftBehind(state) && isAtRest(state);
}

function activityAfterEnd({ input }: SessionState, { code, evidence }: Ended, at: number): SessionState["activity"] {
  const isErrored = code !== 0 && input === "file";
  return {
    state: isErrored ? "errored" : "none",
    note: isErrored ? `the turn failed: ${evidence}` : null,
    evidence,
    at,
  };
}

// Progress, a long life, or exiting with nothing left to do: such an end does not count against the agent.
function endedWell(state: SessionState, code: number | null, at: number): boolean {
  if (state.run.progressed || at - (state.run.startedAt ?? at) > LONG_LIFE_MS) return true;
  return code === 0 && state.turn === null && !state.messages.some((message) => isPending(message, state.input));
}

// An answer ends with its question, an interrupt with its turn. A one-message process is settled by its own events
// (message.accepted, failed, unknown), and typed text stays typed.
function afterEnd(message: Message, state: SessionState, event: Ended): Message {
  if ((message.kind === "answer" || message.kind === "interrupt") && message.status === "queued") {
    return { ...message, status: "withdrawn", text: null, reason: event.evidence };
  }
  if (message.run !== event.run || message.status !== "written" || state.input !== "inbox") return message;
  if (event.code === 0 && message.attempt >= MAX_SILENT_ATTEMPTS && !isLeftBehind(state)) {
    const reason = `the agent exited with code 0 ${message.attempt} times without confirming it`;
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
