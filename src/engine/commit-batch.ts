import { isArchived } from "../core/archive.ts";
import { callersKey, readReceipt, toReceipt } from "../core/command-key.ts";
import { AoError } from "../core/errors.ts";
import { mustReachDisk } from "../core/event-catalog.ts";
import { mustStartOnDisk } from "../core/intent.ts";
import { type StreamId, splitStream } from "../core/stream.ts";
import type { Log } from "../ports/host.ts";
import type { Batch, OpenIntent, Store, StoredEvent } from "../ports/store.ts";
import type { DecisionTime } from "./decision-time.ts";
import type { Faults } from "./fault.ts";
import { type Plan, planBatch } from "./plan-batch.ts";
import { type CommandResult, RECORDED_BEFORE, type Waiting } from "./submission.ts";
import type { Draft, WorldState } from "./world-state.ts";

/** What the loop knows between two commits. Only a commit that succeeded advances it. */
export interface LoopState {
  readonly world: WorldState;
  readonly openIntents: Map<string, OpenIntent>;
  /** When each stream is examined again. */
  readonly wakes: Map<StreamId, number>;
  /** How far each source is read and committed. */
  readonly positions: Map<string, number>;
  lastPosition: number;
  /** Why commits fail at the moment; null if they do not. */
  trouble: AoError | null;
}

export interface CommitDeps {
  readonly store: Store;
  readonly log: Log;
  readonly faults: Faults;
  readonly time: DecisionTime;
  readonly publish: (stored: readonly StoredEvent[]) => void;
}

interface Planned {
  readonly draft: Draft;
  readonly plan: Plan;
  readonly batch: readonly Waiting[];
  readonly at: number;
}

/** Decides what arrived, commits it as one, publishes it and answers. If the commit fails, it throws, and nothing advanced. */
export async function commitBatch(deps: CommitDeps, state: LoopState, arrived: readonly Waiting[]): Promise<void> {
  const at = deps.time.now();
  const batch = refuseRecorded(state.positions, await answerRepeated(deps.store, arrived));
  if (batch.length > 0) await commit(deps, state, await plan(deps, state, { batch, at }));
}

async function answerRepeated(store: Store, arrived: readonly Waiting[]): Promise<readonly Waiting[]> {
  const batch: Waiting[] = [];
  for (const waiting of arrived) {
    const receipt = waiting.key === undefined ? null : await store.receipt(callersKey(waiting.key));
    if (receipt === null || waiting.key === undefined) batch.push(waiting);
    else answerAgain(waiting, readReceipt(waiting.key, receipt));
  }
  return batch;
}

function answerAgain(waiting: Waiting, result: CommandResult | null): void {
  const message = "This idempotency key was used for another request, so nothing was done.";
  if (result !== null) waiting.resolve(result);
  else waiting.reject(new AoError({ code: "key-reused", message, hint: "Send a new key with each new request." }));
}

// Two readers of one source, or one that began at an old position, would record its facts and costs twice.
function refuseRecorded(positions: ReadonlyMap<string, number>, arrived: readonly Waiting[]): readonly Waiting[] {
  const ahead = new Map<string, number>();
  return arrived.filter((waiting) => {
    const read = waiting.positions ?? [];
    const isRecorded = read.some(({ source, from }) => {
      const committed = ahead.get(source) ?? positions.get(source) ?? 0;
      return from !== undefined && from < committed;
    });
    if (isRecorded) waiting.resolve(RECORDED_BEFORE);
    else for (const { source, position } of read) ahead.set(source, position);
    return !isRecorded;
  });
}

async function plan(
  { store, log }: CommitDeps,
  { world, openIntents, wakes }: LoopState,
  { batch, at }: Pick<Planned, "batch" | "at">,
): Promise<Planned> {
  const inputs = batch.map((waiting) => waiting.input);
  const due = [...wakes].filter(([, wakeAt]) => wakeAt <= at).map(([stream]) => stream);
  const finished = new Set<string>();
  const intents = { open: openIntents, isFinished: (id: string) => finished.has(id) };
  const attempt = (): Planned => {
    const draft = world.draft();
    return { draft, plan: planBatch(draft, inputs, { due, intents, now: at }), batch, at };
  };
  const first = attempt();
  for (const { id } of first.plan.recorded) if (await store.isFinished(id)) finished.add(id);
  if (finished.size === 0) return first;
  log.error("a finished intent was wanted again", { ids: [...finished] });
  return attempt();
}

async function commit(deps: CommitDeps, state: LoopState, planned: Planned): Promise<void> {
  const { draft, plan, batch, at } = planned;
  if (!plan.isSettled)
    deps.log.error("what follows from the state does not come to an end", { events: plan.events.length });
  const record = toBatch(planned, state.openIntents);
  if (hasContent(record)) {
    const stored = await append(deps, state, record);
    state.world.adopt(draft);
    state.lastPosition += stored.length;
    if (stored.length > 0) deps.time.advanceTo(at);
    updateIntents(state.openIntents, plan);
    updateWakes(state.wakes, plan);
    updatePositions(state.positions, record);
    deps.publish(stored);
    deps.faults("publish:after", typesOf(stored));
  } else {
    updateWakes(state.wakes, plan);
  }
  answer(plan, batch);
}

async function append(
  { store, log, faults }: CommitDeps,
  state: LoopState,
  record: Batch,
): Promise<readonly StoredEvent[]> {
  faults("commit:before", "");
  let stored: readonly StoredEvent[];
  try {
    stored = await store.append(record, state.lastPosition);
  } catch (error) {
    state.trouble =
      error instanceof AoError ? error : new AoError({ code: "internal", message: String(error), cause: error });
    log.error("a commit failed; nothing advanced", { reason: state.trouble.message });
    throw state.trouble;
  }
  state.trouble = null;
  faults("commit:after", typesOf(stored));
  return stored;
}

function toBatch({ draft, plan, batch, at }: Planned, open: LoopState["openIntents"]): Batch {
  const receipts = batch.flatMap(({ key }, index) => {
    const decision = plan.decisions[index];
    return key !== undefined && decision?.kind === "accepted"
      ? [{ key: callersKey(key), result: toReceipt(key, decision.result ?? {}) }]
      : [];
  });
  return {
    events: plan.events.map(({ stream, event }) => ({ stream, event, at })),
    states: [...draft.changed].map(([stream, state]) => ({ stream, state, wakeAt: plan.wakes.get(stream) ?? null })),
    recorded: plan.recorded,
    started: plan.started,
    finished: plan.finished,
    forgotten: plan.forgotten,
    positions: batch.flatMap((waiting) =>
      (waiting.positions ?? []).map(({ source, position }) => ({ source, position })),
    ),
    receipts,
    durable:
      plan.started.some((id) => startsOnDisk(open.get(id))) ||
      receipts.length > 0 ||
      plan.events.some(({ event }) => mustReachDisk(event)),
  };
}

function startsOnDisk(intent: OpenIntent | undefined): boolean {
  return intent === undefined || mustStartOnDisk(intent.spec);
}

function hasContent(batch: Batch): boolean {
  return batch.events.length + batch.positions.length + batch.receipts.length > 0;
}

function typesOf(stored: readonly StoredEvent[]): string {
  return stored.map(({ event }) => event.type).join(",");
}

function updateIntents(open: Map<string, OpenIntent>, plan: Plan): void {
  for (const id of [...plan.finished, ...plan.forgotten]) open.delete(id);
  for (const intent of plan.recorded) open.set(intent.id, intent);
  for (const id of plan.started) {
    const intent = open.get(id);
    if (intent !== undefined) open.set(id, { ...intent, status: "started" });
  }
}

function updateWakes(wakes: Map<StreamId, number>, plan: Plan): void {
  for (const [stream, at] of plan.wakes) {
    if (at === null) wakes.delete(stream);
    else wakes.set(stream, at);
  }
}

// The runs of an archived session are over, and a later run gets its own source.
function updatePositions(positions: Map<string, number>, batch: Batch): void {
  for (const { source, position } of batch.positions) positions.set(source, position);
  for (const { stream, state } of batch.states) {
    if (!stream.startsWith("session:") || !isArchived(stream, state)) continue;
    const runs = `run:${splitStream(stream).id}/`;
    for (const source of positions.keys()) if (source.startsWith(runs)) positions.delete(source);
  }
}

function answer(plan: Plan, batch: readonly Waiting[]): void {
  batch.forEach((waiting, index) => {
    const decision = plan.decisions[index];
    if (decision?.kind === "rejected") waiting.reject(new AoError(decision.rejection));
    else waiting.resolve(decision?.result ?? {});
  });
}
