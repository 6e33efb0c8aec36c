import { withArchived } from "../archived-state.ts";
import { evolveCommands, isCommandEvent } from "../command/command-run.ts";
import { NO_USAGE } from "../cost/usage.ts";
import { isProblemEvent } from "../event-catalog.ts";
import type { PluginUse } from "../plugin-use.ts";
import { evolveProblems } from "../reaction/problem.ts";
import { markOf } from "../reaction/untrusted.ts";
import { seeBranch } from "./branch.ts";
import type { SessionEvent } from "./events.ts";
import { evolveAgent } from "./evolve-agent.ts";
import { evolveMessage } from "./evolve-message.ts";
import { evolveOpening } from "./evolve-opening.ts";
import { evolveRun } from "./evolve-run.ts";
import { evolveWorkspace } from "./evolve-workspace.ts";
import { isSignOfLife } from "./signal.ts";
import { MAX_END_TRIES, runtimeOfRun, type SessionState } from "./state.ts";

/** Applies one event. Total: it never throws, and an event that does not fit changes nothing. */
export function evolveSession(
  state: SessionState | undefined,
  event: SessionEvent,
  at: number,
): SessionState | undefined {
  if (event.type === "session.requested") return state ?? createSession(event, at);
  if (state === undefined) return undefined;
  if (event.type === "session.archived") return withArchived(state, at);
  if (event.type === "session.unarchived") return withArchived(state, null);
  const next = apply(state, event, at);
  if (next === state) return state;
  const updated = { ...next, updatedAt: Math.max(at, state.updatedAt) };
  return isSignOfLife(event) ? { ...updated, signalAt: at } : updated;
}

function apply(state: SessionState, event: SessionEvent, at: number): SessionState {
  if (isProblemEvent(event)) return evolveProblems(state, event, at);
  if (isCommandEvent(event)) return evolveCommands(state, event, at);
  if (event.type === "untrusted.read") return { ...state, readUntrusted: markOf(event, at) };
  switch (event.type) {
    case "session.admitted":
      return state.phase === "queued" ? { ...state, phase: "open" } : state;
    case "session.stop-requested":
      return stopping(state, event.reason);
    case "session.stopped":
      return { ...atHome(state), phase: "stopped", question: null, activity: quiet("stopped", at) };
    case "session.restore-requested":
      return { ...restored(state), restoredAt: at, ...(event.shell === undefined ? {} : { shell: event.shell }) };
    case "session.moved":
      return moved(state, event.runtime);
    case "session.retargeted": {
      const { stackedOn: _, ...rest } = state;
      return { ...rest, base: null, ...(event.landed === undefined ? {} : { landed: event.landed }) };
    }
    case "agent.reported":
    case "agent.asked":
    case "question.withdrawn":
    case "agent.answered":
    case "agent.used":
    case "agent.finished":
    case "agent.output-seen":
    case "agent.limited":
    case "agent.errored":
    case "agent.host-refused":
    case "agent.path-refused":
    case "conversation.known":
      return evolveAgent(state, event, at);
    case "change.open-requested":
    case "change.open-failed":
    case "intent.finished":
      return evolveOpening(state, event);
    case "branch.seen":
      return { ...state, branchSeen: seeBranch(state, event, at) };
    case "workspace.creating":
    case "workspace.created":
    case "workspace.failed":
    case "workspace.vanished":
    case "workspace.reappeared":
    case "workspace.branch-left":
    case "workspace.branch-returned":
    case "workspace.relocated":
    case "workspace.removed":
    case "workspace.kept":
      return evolveWorkspace(state, event);
    case "run.starting":
    case "run.started":
    case "run.hibernating":
    case "run.network-restricted":
    case "run.restrict-failed":
    case "run.end-failed":
    case "run.ended":
      return evolveRun(state, event, at);
    case "message.queued":
    case "message.started":
    case "message.written":
    case "message.held":
    case "message.waiting":
    case "message.accepted":
    case "message.returned":
    case "message.unknown":
    case "message.failed":
    case "message.withdrawn":
      return evolveMessage(state, event, at);
    case "intent.recorded":
    case "intent.started":
    case "intent.withdrawn":
    case "session.archived":
    case "session.unarchived":
    case "session.requested":
      return state;
  }
}

// Each request is worth a few attempts, even for an agent that could not be ended before, for example for its
// hibernation.
function stopping(state: SessionState, reason: string): SessionState {
  if (state.phase === "stopped") return state;
  const { endTries: tries, endFailures } = state.run;
  const endTries = state.phase === "stopping" ? tries + MAX_END_TRIES : Math.max(tries, endFailures + MAX_END_TRIES);
  return { ...state, phase: "stopping", stopReason: reason, run: { ...state.run, endTries } };
}

function createSession(event: Extract<SessionEvent, { readonly type: "session.requested" }>, at: number): SessionState {
  return {
    id: event.id,
    projectId: event.projectId,
    taskKey: event.taskKey,
    issue: event.issue,
    title: event.title,
    role: event.role,
    agent: event.agent,
    runtime: event.runtime,
    workspacePlugin: event.workspace,
    input: event.input,
    branch: event.branch,
    base: event.base,
    ...(event.markSeed === undefined ? {} : { markSeed: event.markSeed }),
    folder: event.folder,
    ...(event.shell === undefined ? {} : { shell: event.shell }),
    ...(event.reviewOf === undefined ? {} : { reviewOf: event.reviewOf }),
    ...(event.stackedOn === undefined ? {} : { stackedOn: event.stackedOn }),
    phase: "queued",
    workspace: {
      state: "none",
      generation: 1,
      restore: false,
      path: null,
      head: null,
      baseCommit: null,
      preservedRef: null,
      reason: null,
      notes: [],
    },
    run: {
      state: "none",
      n: 0,
      pid: null,
      messageId: null,
      code: null,
      evidence: null,
      startedAt: null,
      endedAt: null,
      progressed: false,
      failures: 0,
      quickEnds: 0,
      endFailures: 0,
      endTries: MAX_END_TRIES,
    },
    confirms: false,
    messages: [],
    question: null,
    turn: null,
    activity: quiet("not started yet", at),
    limitedUntil: null,
    conversation: null,
    turns: 0,
    branchSeen: null,
    problems: {},
    reactions: 0,
    restoredAt: 0,
    usage: NO_USAGE,
    summary: null,
    stopReason: null,
    createdAt: at,
    updatedAt: at,
  };
}

// A restore rebuilds what is gone and restarts the agent; what is still there stays.
function restored(state: SessionState): SessionState {
  const { workspace } = state;
  const rebuild = workspace.state !== "ready" && workspace.state !== "creating";
  const isGone = workspace.state === "missing";
  return {
    ...state,
    // Whoever restores it knows what it left; the next turn counts.
    branchSeen: state.branchSeen === null ? null : { ...state.branchSeen, isForgotten: false },
    phase: state.phase === "stopped" ? "queued" : state.phase,
    stopReason: null,
    workspace: rebuild
      ? {
          ...workspace,
          state: "none",
          generation: workspace.generation + 1,
          restore: true,
          // An agent that still runs where its folder is gone has to restart in the new one.
          path: isGone ? null : workspace.path,
          // Becomes a note about what was rebuilt.
          reason: isGone || workspace.state === "branch-missing" ? workspace.reason : null,
        }
      : workspace,
    // As if it had not run yet: an agent that exited with code 0 when it was stopped is wanted again too.
    run: { ...state.run, state: state.run.state === "ended" ? "none" : state.run.state, failures: 0, quickEnds: 0 },
  };
}

// The current run stays where it is until it is ended; one that exited by itself is wanted again at the new place.
function moved(state: SessionState, runtime: PluginUse): SessionState {
  const { run } = state;
  const own = state.movedFrom ?? state.runtime;
  return {
    ...state,
    runtime,
    movedFrom: own.plugin === runtime.plugin ? null : own,
    run: {
      ...run,
      runtime: runtimeOfRun(state),
      state: run.state === "ended" ? "none" : run.state,
      failures: 0,
      quickEnds: 0,
      endTries: run.endFailures + MAX_END_TRIES,
    },
  };
}

// A stop ends a move too: a restored session is back at its original runtime.
function atHome(state: SessionState): SessionState {
  return state.movedFrom == null ? state : { ...state, runtime: state.movedFrom, movedFrom: null };
}

function quiet(evidence: string, at: number): SessionState["activity"] {
  return { state: "none", note: null, evidence, at };
}
