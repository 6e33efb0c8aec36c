import { setImmediate as nextTurn } from "node:timers/promises";
import { nameOfChange } from "../core/change/key.ts";
import { AoError } from "../core/errors.ts";
import type { StreamState } from "../core/evolve.ts";
import { createDryRun } from "../core/replay/dry-run.ts";
import type { DryRunRow } from "../core/replay/dry-run-row.ts";
import { foldEvent } from "../core/replay/replay-world.ts";
import { changesRules } from "../core/replay/rule-changes.ts";
import { type StreamId, splitStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { ConfigTextBody } from "../protocol/bodies/config.ts";
import type { DryRunRowView, DryRunView } from "../protocol/views/dry-run.ts";
import type { Actions } from "./actions.ts";
import { describeRowReason } from "./dry-run-text.ts";
import { describeEvent } from "./event-text.ts";
import { toTime } from "./time.ts";

/** All that a dry run needs of the rest. */
export interface DryRunSource extends Pick<Actions, "rulesOfEdit"> {
  readonly engine: Pick<Actions["engine"], "world" | "lastPosition">;
  readonly store: Pick<Actions["store"], "read">;
}

export interface DryRunLimits {
  /** More events than these shorten the window. */
  readonly events: number;
  /** A longer run is given up. */
  readonly ms: number;
}

type DryRuns = (
  edit: ConfigTextBody,
  call: { readonly now: number; readonly signal: AbortSignal },
) => Promise<DryRunView>;

const WINDOW_MS = 7 * 24 * 3_600_000;
const LIMITS: DryRunLimits = { events: 50_000, ms: 20_000 };
const PAGE = 500;
/** The daemon does other work after this time. */
const SLICE_MS = 10;

/** Dry runs of edited configurations, one at a time. Each stops when its caller is gone. */
export function createDryRuns(source: DryRunSource, limits: DryRunLimits = LIMITS): DryRuns {
  let last: Promise<unknown> = Promise.resolve();
  return (edit, { now, signal }) => {
    const run = last.then(() => dryRun(source, edit, { now, pace: createPace(limits.ms, signal), limits }));
    last = run.catch(() => undefined);
    return run;
  };
}

interface Run {
  readonly now: number;
  readonly pace: Pace;
  readonly limits: DryRunLimits;
}

async function dryRun(source: DryRunSource, edit: ConfigTextBody, run: Run): Promise<DryRunView> {
  const { now, pace } = run;
  await pace.rest();
  const { world } = source.engine;
  const edited = [...(await source.rulesOfEdit(edit))];
  const rules = new Map(edited.filter(([, { before, after }]) => changesRules(before, after)));
  const answer = { projects: [...rules.keys()], since: toTime(now - WINDOW_MS), events: 0, data: [] };
  if (rules.size === 0) return { ...answer, tookMs: pace.elapsedMs() };
  const { from, position } = await findStart(source, run);
  const states = new Map<StreamId, StreamState>();
  await readLog(source, { after: 0, until: position, pace }, (logged) => void foldEvent(states, logged, logged.at));
  const replays = createDryRun({ from, states, rules });
  const end = source.engine.lastPosition();
  await readLog(source, { after: position, until: end, pace }, replays.next);
  const rows = replays.finish(now);
  return {
    ...answer,
    since: toTime(from),
    events: end - position,
    tookMs: pace.elapsedMs(),
    data: rows.map((row) => toView(world, row)),
  };
}

interface Start {
  readonly from: number;
  /** Of the last event before it. */
  readonly position: number;
}

// Positions have no gaps and times never decrease, so a few reads find the first event of the window.
async function findStart({ store, engine }: DryRunSource, { now, limits }: Run): Promise<Start> {
  const from = now - WINDOW_MS;
  let [low, high] = [0, engine.lastPosition()];
  const earliest = high - limits.events;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.read(middle, 1);
    if (event === undefined || event.at >= from) high = middle;
    else low = middle + 1;
  }
  if (low >= earliest) return { from, position: low };
  const [event] = await store.read(earliest, 1);
  return { from: event?.at ?? from, position: earliest };
}

interface Section {
  readonly after: number;
  readonly until: number;
  readonly pace: Pace;
}

async function readLog(
  { store }: DryRunSource,
  { after, until, pace }: Section,
  onEvent: (event: StoredEvent) => void,
): Promise<void> {
  for (let position = after; position < until; ) {
    const page = await store.read(position, Math.min(PAGE, until - position));
    const last = page.at(-1);
    if (last === undefined) return;
    for (const event of page) {
      onEvent(event);
      if (pace.isDue()) await pace.rest();
    }
    position = last.position;
  }
}

interface Pace {
  elapsedMs(): number;
  isDue(): boolean;
  /** Lets the daemon do other work; throws if the time is up or the caller is gone. */
  rest(): Promise<void>;
}

function createPace(limitMs: number, signal: AbortSignal): Pace {
  const started = performance.now();
  let since = started;
  return {
    elapsedMs: () => Math.round(performance.now() - started),
    isDue: () => performance.now() - since >= SLICE_MS,
    rest: async () => {
      await nextTurn();
      since = performance.now();
      if (signal.aborted || since - started > limitMs) throw tooLong(limitMs);
    },
  };
}

function tooLong(limitMs: number): AoError {
  return new AoError({
    code: "timeout",
    message: `The dry run was stopped after ${Math.round(limitMs / 1000)} s.`,
    hint: "`ao replay --since 7d --config FILE` has no time limit.",
  });
}

function toView(world: World, { kind, count, reason, savedMs, examples }: DryRunRow): DryRunRowView {
  return {
    kind,
    count,
    reason: describeRowReason(reason, count),
    savedMs,
    examples: examples.map(({ stream, event }) => {
      const owner = splitStream(stream);
      const isChange = owner.kind === "change";
      return {
        pullRequest: isChange ? owner.id : null,
        session: owner.kind === "session" ? owner.id : null,
        name: isChange ? nameOfChange(world, owner.id) : owner.id,
        text: event === undefined ? null : describeEvent(event),
      };
    }),
  };
}
