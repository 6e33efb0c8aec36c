import { describeFailure, type IntentOutcome, type IntentSpec, type SessionSpec } from "../intent.ts";
import { onlyHostsOf } from "../network-limit.ts";
import type { TrustPolicy } from "../policy.ts";
import { decideExit } from "./decide-observation.ts";
import type { SessionEvent } from "./events.ts";
import { isAtRest } from "./hibernate.ts";
import { isRunOver, isToLeave, type SessionState } from "./state.ts";

/** How long a held message waits before it is retried. */
const HOLD_MS = 2000;

/** What the start of an effect means: from here on it may have happened. */
export function decideStarting(session: SessionState, spec: SessionSpec, trust?: TrustPolicy): readonly SessionEvent[] {
  switch (spec.kind) {
    case "create-workspace":
      return [{ type: "workspace.creating", generation: spec.generation }];
    case "start-run": {
      const onlyHosts = onlyHostsOf(session, trust);
      const limit = onlyHosts === null ? {} : { onlyHosts };
      const starting: SessionEvent = { type: "run.starting", run: spec.run, messageId: spec.messageId, ...limit };
      if (spec.messageId === null) return [starting];
      const attempt = session.messages.find((message) => message.id === spec.messageId)?.attempt ?? 1;
      return [starting, { type: "message.started", id: spec.messageId, run: spec.run, attempt }];
    }
    case "send-message":
      return [{ type: "message.started", id: spec.messageId, run: spec.run, attempt: spec.attempt }];
    case "end-run":
      return isForHibernation(session) ? [{ type: "run.hibernating", run: spec.run }] : [];
    case "restrict-network":
    case "remove-workspace":
    case "read-branch":
    case "open-change":
    case "run-command":
      return [];
  }
}

// Any other end of a run is visible in the session: it stops, it moved, or its folder is recreated.
function isForHibernation(session: SessionState): boolean {
  const { phase, run, workspace } = session;
  if (phase !== "open" || workspace.state === "none" || run.hibernation !== undefined) return false;
  return !isToLeave(session) && isAtRest(session);
}

/** What the outcome of an effect means for its session. */
export function decideOutcome(
  session: SessionState,
  spec: SessionSpec,
  outcome: IntentOutcome,
  now: number,
): readonly SessionEvent[] {
  switch (spec.kind) {
    case "create-workspace":
      return workspaceCreated(session, spec.generation, outcome);
    case "start-run":
      return runStarted(session, spec, outcome);
    case "send-message":
      return messageSent(session, spec, outcome, now);
    case "end-run":
      return outcome.kind === "run-ended"
        ? decideExit(session, spec.run, outcome.code, outcome.evidence)
        : [{ type: "run.end-failed", run: spec.run, reason: describeFailure(outcome) }];
    case "restrict-network":
      return outcome.kind === "network-restricted"
        ? [{ type: "run.network-restricted", run: spec.run, hosts: spec.hosts }]
        : [{ type: "run.restrict-failed", run: spec.run, reason: describeFailure(outcome) }];
    case "remove-workspace":
      return workspaceRemoved(spec.generation, outcome);
    case "read-branch":
      return [branchRead(session, spec.turn, outcome)];
    // These concern others too: decideOpened, decideCommandOutcome.
    case "open-change":
    case "run-command":
      return [];
  }
}

// If it cannot be read, nothing changed; the turn counts as read, so that it is not requested forever.
function branchRead(session: SessionState, turn: number, outcome: IntentOutcome): SessionEvent {
  const facts = outcome.kind === "branch-read" ? outcome.facts : null;
  if (facts !== null) {
    const { baseHead: _, isStacked: _of, ...seen } = facts;
    return { type: "branch.seen", turn, ...seen };
  }
  const { head, ahead } = session.branchSeen ?? { head: session.workspace.head ?? "", ahead: 0 };
  return { type: "branch.seen", turn, head, ahead };
}

function workspaceCreated(session: SessionState, generation: number, outcome: IntentOutcome): readonly SessionEvent[] {
  if (outcome.kind !== "workspace-created") {
    return [{ type: "workspace.failed", generation, reason: describeFailure(outcome) }];
  }
  const { kind: _, ...facts } = outcome;
  const { reason } = session.workspace;
  const notes = reason === null ? facts.notes : [`The workspace was rebuilt: ${reason}.`, ...facts.notes];
  return [{ type: "workspace.created", generation, ...facts, notes }];
}

function workspaceRemoved(generation: number, outcome: IntentOutcome): readonly SessionEvent[] {
  if (outcome.kind === "workspace-removed") {
    return [{ type: "workspace.removed", generation, preservedRef: outcome.preservedRef }];
  }
  const reason = outcome.kind === "workspace-kept" ? outcome.reason : describeFailure(outcome);
  return [{ type: "workspace.kept", generation, reason }];
}

function runStarted(
  session: SessionState,
  spec: Extract<IntentSpec, { readonly kind: "start-run" }>,
  outcome: IntentOutcome,
): readonly SessionEvent[] {
  switch (outcome.kind) {
    case "run-started":
      return [{ type: "run.started", run: spec.run, pid: outcome.pid }];
    case "run-ended":
      return decideExit(session, spec.run, outcome.code, outcome.evidence);
    case "failed":
      // Nothing was started, so its message still has to be sent; a person is notified.
      return spec.messageId === null
        ? [{ type: "run.ended", run: spec.run, code: null, evidence: describeFailure(outcome) }]
        : [
            { type: "run.ended", run: spec.run, code: null, evidence: describeFailure(outcome) },
            { type: "message.failed", id: spec.messageId, reason: describeFailure(outcome) },
          ];
    default:
      return decideExit(session, spec.run, null, describeFailure(outcome));
  }
}

function messageSent(
  session: SessionState,
  spec: Extract<IntentSpec, { readonly kind: "send-message" }>,
  outcome: IntentOutcome,
  now: number,
): readonly SessionEvent[] {
  const id = spec.messageId;
  // None: it ended, and the agent is wanted again.
  const runIsOver = session.run.n !== spec.run || isRunOver(session.run);
  const kind = session.messages.find((message) => message.id === id)?.kind;
  if (runIsOver && kind === "answer") {
    return [{ type: "message.failed", id, reason: "the agent died before the answer arrived; it will ask again" }];
  }
  if (runIsOver && kind === "interrupt") {
    return [{ type: "message.failed", id, reason: "the agent ended before it was interrupted" }];
  }
  switch (outcome.kind) {
    case "message-written":
      // It went to a process that died meanwhile: it is repeated, unless that process confirmed it before.
      return runIsOver && session.input === "inbox"
        ? [{ type: "message.returned", id, reason: "the agent died before it confirmed" }]
        : [{ type: "message.written", id, run: spec.run }];
    case "message-held":
      return [{ type: "message.held", id, reason: outcome.reason, notBefore: now + HOLD_MS }];
    case "unknown":
      return [{ type: "message.unknown", id, reason: outcome.reason }];
    default:
      return runIsOver
        ? [{ type: "message.returned", id, reason: describeFailure(outcome) }]
        : [{ type: "message.failed", id, reason: describeFailure(outcome) }];
  }
}
