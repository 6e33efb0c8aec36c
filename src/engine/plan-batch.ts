import { decide } from "../core/decide.ts";
import type { Emitted } from "../core/event.ts";
import { EVENT_CATALOG } from "../core/event-catalog.ts";
import { announceHooks } from "../core/hook/announce-hooks.ts";
import type { Decision, Input } from "../core/input.ts";
import type { Intent, IntentEvent } from "../core/intent.ts";
import { reactStream } from "../core/react.ts";
import { announce } from "../core/reaction/news.ts";
import { settle } from "../core/settle.ts";
import { bringBack, settleArchive } from "../core/settle-archive.ts";
import { canWant, changeStream, projectStream, type StreamId, sessionStream, splitStream } from "../core/stream.ts";
import type { OpenIntent } from "../ports/store.ts";
import type { Draft } from "./world-state.ts";

/** What is known about intents while a batch is planned. */
interface IntentView {
  readonly open: ReadonlyMap<string, OpenIntent>;
  readonly isFinished: (id: string) => boolean;
}

export interface PlanFacts {
  /** Streams to examine although nothing happened to them. */
  readonly due: readonly StreamId[];
  readonly intents: IntentView;
  readonly now: number;
}

export interface Plan {
  readonly decisions: readonly Decision[];
  /** false: settling did not terminate, which is a bug; it continues with the next batch. */
  readonly isSettled: boolean;
  readonly events: readonly Emitted[];
  readonly recorded: readonly OpenIntent[];
  readonly started: readonly string[];
  readonly finished: readonly string[];
  readonly forgotten: readonly string[];
  /** When to examine a stream again; null: not by time. */
  readonly wakes: ReadonlyMap<StreamId, number | null>;
}

/**
 * Plans one commit: decides each input on a draft of the world, lets consequences settle, and compares what is wanted
 * with the intents.
 */
export function planBatch(draft: Draft, inputs: readonly Input[], { due, intents, now }: PlanFacts): Plan {
  const events: Emitted[] = [];
  const apply = (emitted: readonly Emitted[]): void => {
    for (const one of emitted) {
      draft.apply(one, now);
      events.push(one);
      // A rule or a hook may be about this very event.
      for (const news of [...announce(draft, one), ...announceHooks(draft, one)]) {
        draft.apply(news, now);
        events.push(news);
      }
    }
  };
  const decisions = inputs.map((input) => {
    const decision = decide(draft, input, (id) => intents.open.get(id), now);
    if (decision.kind === "accepted") apply(bringBack(draft, decision.events));
    return decision;
  });
  const isSettled = settleAll(draft, now, apply);
  apply(settleArchive(draft, now));
  const changes = collectIntentEvents(events);
  const reactions = reactAll(draft, touchedStreams(draft, events, due), { intents, changes, now });
  apply(reactions.events);
  return {
    decisions,
    isSettled,
    events,
    recorded: reactions.recorded,
    started: changes.started,
    finished: changes.finished,
    forgotten: [...changes.held, ...reactions.withdrawn],
    wakes: reactions.wakes,
  };
}

function settleAll(draft: Draft, now: number, apply: (events: readonly Emitted[]) => void): boolean {
  // Each round takes the next step (a slot, a detected problem, a message for it); a handful of rounds is the maximum.
  for (let round = 0; round < 100; round += 1) {
    const events = settle(draft, now);
    if (events.length === 0) return true;
    apply(events);
  }
  return false;
}

interface IntentChanges {
  readonly started: string[];
  readonly finished: string[];
  readonly held: string[];
}

function collectIntentEvents(events: readonly Emitted[]): IntentChanges {
  const changes: IntentChanges = { started: [], finished: [], held: [] };
  for (const { event } of events) {
    if (event.type === "intent.started") changes.started.push(event.id);
    if (event.type === "intent.finished") (event.outcome === "held" ? changes.held : changes.finished).push(event.id);
  }
  return changes;
}

// What a stream wants may depend on its neighbors: a change on its session and project, a session on its pull request.
function touchedStreams(draft: Draft, events: readonly Emitted[], due: readonly StreamId[]): ReadonlySet<StreamId> {
  const own = events.map(({ stream }) => stream).filter(canWant);
  const touched = new Set<StreamId>([...due, ...own]);
  const everyone = events.some(({ event }) => EVENT_CATALOG[event.type].reach === "everyone");
  const wide = events.filter(({ event }) => EVENT_CATALOG[event.type].reach === "project");
  const projects = new Set(wide.map(({ stream }) => splitStream(stream).id));
  const wideOnes = everyone ? [undefined] : [...projects];
  if (everyone) for (const { id } of draft.projects()) touched.add(projectStream(id));
  for (const project of wideOnes) {
    for (const { id } of draft.activeSessions(project)) touched.add(sessionStream(id));
    for (const { key } of draft.activeChanges(project)) touched.add(changeStream(key));
  }
  for (const stream of [...touched]) for (const neighbor of neighborsOf(draft, stream)) touched.add(neighbor);
  return touched;
}

function neighborsOf(draft: Draft, stream: StreamId): readonly StreamId[] {
  const { kind, id } = splitStream(stream);
  const sessionId = kind === "session" ? id : kind === "change" ? (draft.change(id)?.sessionId ?? null) : null;
  if (sessionId === null) return [];
  return [sessionStream(sessionId), ...[...draft.changesOf(sessionId)].map(({ key }) => changeStream(key))];
}

interface Reactions {
  readonly events: Emitted[];
  readonly recorded: OpenIntent[];
  readonly withdrawn: string[];
  readonly wakes: Map<StreamId, number | null>;
}

interface IntentFacts {
  readonly intents: IntentView;
  /** What the batch itself did to intents. */
  readonly changes: IntentChanges;
  readonly now: number;
}

function reactAll(draft: Draft, streams: ReadonlySet<StreamId>, facts: IntentFacts): Reactions {
  const result: Reactions = { events: [], recorded: [], withdrawn: [], wakes: new Map() };
  for (const stream of streams) {
    const wanted = reactStream(draft, stream, facts.now);
    result.wakes.set(stream, wanted.wakeAt);
    const ids = new Set(wanted.intents.map((intent) => intent.id));
    for (const intent of wanted.intents) if (isNew(intent, facts)) record(result, intent, facts.now);
    for (const open of facts.intents.open.values()) {
      if (open.stream === stream && isStillPending(open, facts) && !ids.has(open.id)) withdraw(result, stream, open.id);
    }
  }
  return result;
}

// An intent that was held is wanted anew; one that has finished is never wanted again.
function isNew({ id }: Intent, { intents, changes }: IntentFacts): boolean {
  if (changes.finished.includes(id) || intents.isFinished(id)) return false;
  return !intents.open.has(id) || changes.held.includes(id);
}

function isStillPending({ id, status }: OpenIntent, { changes }: IntentFacts): boolean {
  return status === "pending" && !changes.started.includes(id);
}

function record(result: Reactions, intent: Intent, now: number): void {
  const event: IntentEvent = { type: "intent.recorded", id: intent.id, lane: intent.lane, spec: intent.spec };
  result.events.push({ stream: intent.stream, event });
  result.recorded.push({ ...intent, status: "pending", recordedAt: now });
}

function withdraw(result: Reactions, stream: StreamId, id: string): void {
  result.events.push({ stream, event: { type: "intent.withdrawn", id } });
  result.withdrawn.push(id);
}
