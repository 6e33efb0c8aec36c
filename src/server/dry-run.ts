import { nameOfChange } from "../core/change/key.ts";
import type { StreamState } from "../core/evolve.ts";
import { createDryRun } from "../core/replay/dry-run.ts";
import type { DryRunRow } from "../core/replay/dry-run-row.ts";
import { foldEvent } from "../core/replay/replay-world.ts";
import { changesRules } from "../core/replay/rule-changes.ts";
import { type StreamId, splitStream } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import type { ConfigTextBody } from "../protocol/bodies/config.ts";
import type { DryRunRowView, DryRunView } from "../protocol/views/dry-run.ts";
import type { Actions } from "./actions.ts";
import { describeRowReason } from "./dry-run-text.ts";
import { describeEvent } from "./event-text.ts";
import { createPace, type Pace, readLog } from "./read-log.ts";
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

/** Dry runs of edited configurations, one at a time. Each stops when its caller is gone. */
export function createDryRuns(source: DryRunSource, limits: DryRunLimits = LIMITS): DryRuns {
  let last: Promise<unknown> = Promise.resolve();
  return (edit, { now, signal }) => {
    const run = last.then(() => dryRun(source, edit, { now, pace: createPace({ signal, ms: limits.ms }), limits }));
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
  await readLog(
    source.store,
    { after: 0, until: position, pace },
    (logged) => void foldEvent(states, logged, logged.at),
  );
  const replays = createDryRun({ from, states, rules });
  const end = source.engine.lastPosition();
  await readLog(source.store, { after: position, until: end, pace }, replays.next);
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
