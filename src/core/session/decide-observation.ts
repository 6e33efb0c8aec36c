import type { AskedSignal, StoredSignal } from "../agent-signal.ts";
import type { SessionObservation } from "../input.ts";
import type { StoredText } from "../text.ts";
import type { SessionEvent } from "./events.ts";
import { evolveSession } from "./evolve.ts";
import { HIBERNATED } from "./hibernate.ts";
import { isRunOver, type MessageStatus, type SessionState } from "./state.ts";

const MAX_NOTE = 2000;
const MAX_REFUSED = 20;

const SETTLED: ReadonlySet<MessageStatus> = new Set(["accepted", "failed", "withdrawn"]);

/** What an observation means for a session; outdated ones mean nothing. */
export function decideObservation(session: SessionState, observation: SessionObservation): readonly SessionEvent[] {
  switch (observation.type) {
    case "run.signals":
      if (observation.run !== session.run.n || isRunOver(session.run)) return [];
      return decideSignals(session, observation.run, observation.signals);
    case "run.exited":
      return decideExit(session, observation.run, observation.code, observation.evidence);
    case "workspace.inspected":
      return decideInspected(session, observation);
    case "run.output-seen":
      return observation.run === session.run.n && session.run.state === "alive" ? [{ type: "agent.output-seen" }] : [];
    case "branch.moved": {
      const { baseHead: _, isStacked: _of, ...seen } = observation.facts;
      const turn = session.branchSeen?.turn ?? 0;
      return seen.head === session.branchSeen?.head ? [] : [{ type: "branch.seen", turn, ...seen }];
    }
  }
}

// Several signals may arrive at once: each is decided on the state that the ones before it leave, such as a question
// that is asked and withdrawn in the same read.
function decideSignals(session: SessionState, run: number, signals: readonly StoredSignal[]): readonly SessionEvent[] {
  const confirms = session.confirms || signals.some((signal) => signal.kind === "received");
  const events: SessionEvent[] = [];
  let state: SessionState = session;
  for (const signal of signals) {
    const next = [
      ...(signal.kind === "done" && !confirms ? acceptedByDone(state, run) : []),
      ...decideSignal(state, run, signal),
    ];
    events.push(...next);
    state = next.reduce<SessionState>(
      (before, event) => evolveSession(before, event, before.updatedAt) ?? before,
      state,
    );
  }
  return events;
}

function decideSignal(session: SessionState, run: number, signal: StoredSignal): readonly SessionEvent[] {
  switch (signal.kind) {
    case "received":
      return session.messages.some((message) => message.id === signal.id && message.status !== "accepted")
        ? [{ type: "message.accepted", id: signal.id, by: "received" }]
        : [];
    case "status":
      return [{ type: "agent.reported", state: signal.state, note: bounded(signal.note) }];
    case "asked":
      return [toAsked(signal, run)];
    case "unasked":
      return session.question?.id === signal.id ? [{ type: "question.withdrawn", id: signal.id }] : [];
    case "held":
      return decideHeld(session, signal.id, bounded(signal.reason) ?? "");
    case "limited": {
      const cause = signal.cause === undefined ? {} : { cause: signal.cause };
      return [{ type: "agent.limited", until: signal.until, reason: bounded(signal.reason) ?? "", ...cause }];
    }
    case "errored":
      return [{ type: "agent.errored", reason: bounded(signal.reason) ?? "" }];
    case "refused":
      return decideRefused(session, signal.host);
    case "read-only":
      return decideReadOnly(session, signal.path);
    case "conversation":
      return decideConversation(session, signal);
    case "usage": {
      const { kind, model, ...used } = signal;
      return [{ type: "agent.used", ...used, ...(model === undefined ? {} : { model: model.slice(0, 200) }) }];
    }
    case "done":
      return [{ type: "agent.finished", summary: bounded(signal.summary) ?? "" }];
  }
}

// Each host once, and only a limited number: a program may try names all day.
function decideRefused({ refusedHosts = [] }: SessionState, name: string): readonly SessionEvent[] {
  const host = name.slice(0, 253);
  const isNews = !refusedHosts.includes(host) && refusedHosts.length < MAX_REFUSED;
  return isNews ? [{ type: "agent.host-refused", host }] : [];
}

function decideReadOnly({ refusedPaths = [] }: SessionState, name: string): readonly SessionEvent[] {
  const path = name.slice(0, 1000);
  const isNews = !refusedPaths.includes(path) && refusedPaths.length < MAX_REFUSED;
  return isNews ? [{ type: "agent.path-refused", path }] : [];
}

function decideConversation(
  session: SessionState,
  { id, resumes }: Extract<StoredSignal, { readonly kind: "conversation" }>,
): readonly SessionEvent[] {
  if (id === session.conversation && (resumes ?? false) === (session.resumes ?? false)) return [];
  return [{ type: "conversation.known", id: id.slice(0, 200), ...(resumes === true ? { resumes } : {}) }];
}

// Its limits are enforced where its texts are stored: nothing of a question is cut here.
function toAsked({ kind, id, about, ...asked }: AskedSignal<StoredText>, run: number): SessionEvent {
  return { type: "agent.asked", id: id.slice(0, 200), ...asked, ...(about === undefined ? {} : { kind: about }), run };
}

function decideHeld(session: SessionState, id: string, reason: string): readonly SessionEvent[] {
  const isNews = session.messages.some(
    (message) => message.id === id && !SETTLED.has(message.status) && message.reason !== reason,
  );
  return isNews ? [{ type: "message.waiting", id, reason }] : [];
}

// An agent that never confirms works through its input in order: each `done` is about its oldest message.
function acceptedByDone(session: SessionState, run: number): readonly SessionEvent[] {
  const oldest = session.messages.find((message) => message.status === "written" && message.run === run);
  return oldest === undefined ? [] : [{ type: "message.accepted", id: oldest.id, by: "done" }];
}

/** The end of a run, and the result of the message it was started for. */
export function decideExit(
  session: SessionState,
  run: number,
  code: number | null,
  evidence: string,
): readonly SessionEvent[] {
  if (run !== session.run.n || isRunOver(session.run)) return [];
  const isHibernated = session.phase === "open" && session.run.hibernation === "ending";
  const ended: SessionEvent = { type: "run.ended", run, code, evidence: isHibernated ? HIBERNATED : evidence };
  const messageId = session.run.messageId;
  if (messageId === null) return [ended];
  if (code === 0) return [ended, { type: "message.accepted", id: messageId, by: "exit" }];
  if (code === null) return [ended, { type: "message.unknown", id: messageId, reason: evidence }];
  return [ended, { type: "message.failed", id: messageId, reason: evidence }];
}

function decideInspected(
  session: SessionState,
  seen: Extract<SessionObservation, { readonly type: "workspace.inspected" }>,
): readonly SessionEvent[] {
  const workspace = session.workspace;
  if (seen.generation !== workspace.generation || session.phase !== "open") return [];
  const known = workspace.state;
  if (known !== "ready" && known !== "missing" && known !== "branch-missing") return [];
  if (seen.condition === known) return known === "ready" ? decideBranchLeft(session, seen) : [];
  if (seen.condition === "ready") return [{ type: "workspace.reappeared", generation: seen.generation }];
  return [{ type: "workspace.vanished", generation: seen.generation, what: seen.condition, evidence: seen.evidence }];
}

// In the middle of a turn an agent may look at another branch and come back.
function decideBranchLeft(
  { workspace, turn, activity }: SessionState,
  { generation, on = null }: Extract<SessionObservation, { readonly type: "workspace.inspected" }>,
): readonly SessionEvent[] {
  if (on === (workspace.elsewhere ?? null)) return [];
  if (on === null) return [{ type: "workspace.branch-returned", generation }];
  if (turn !== null || activity.state === "working") return [];
  return [{ type: "workspace.branch-left", generation, on: on.slice(0, 200) }];
}

function bounded(text: string | null): string | null {
  return text === null || text.length <= MAX_NOTE ? text : `${text.slice(0, MAX_NOTE)}…`;
}
