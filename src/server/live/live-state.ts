import type { Log } from "../../ports/host.ts";
import type { StoredEvent } from "../../ports/store.ts";
import { type Batches, createBatches } from "./batches.ts";
import { deriveView, type ViewSources } from "./derive-view.ts";
import { encodeFrames, formatFrame } from "./frames.ts";
import { type ViewKey, viewsTouchedBy } from "./touched-views.ts";

/** What a slightly late client can still read batch by batch. */
const KEPT_BATCHES = { count: 256, bytes: 2 * 1024 * 1024 };

interface KeptView {
  readonly frame: string;
  readonly isRemoved: boolean;
  /** The position of the batch that sent it; 0: none since the first client connected. */
  readonly version: number;
}

/** The views that clients have, as far as they changed since the first client connected. */
export interface LiveState {
  readonly batches: Batches;
  readonly views: Map<ViewKey, KeptView>;
  position: number;
  /** Removed views up to this position are no longer known. */
  forgotten: number;
  /** Events of commits whose views are not derived yet. */
  arrived: StoredEvent[];
}

export interface Advance {
  readonly sources: ViewSources & { readonly log: Pick<Log, "error"> };
  /** Views to update although nothing happened to them. */
  readonly extra: Iterable<ViewKey>;
  readonly store: string | null;
}

/** The state at a position from which events are collected. */
export function startLive(position: number): LiveState {
  return { batches: createBatches(KEPT_BATCHES), views: new Map(), position, forgotten: 0, arrived: [] };
}

/** Derives what changed since the last time into a batch. */
export async function advance(live: LiveState, step: Advance): Promise<void> {
  const { engine, log } = step.sources;
  const position = engine.lastPosition();
  const { arrived } = live;
  live.arrived = [];
  live.position = position;
  try {
    const frames = await deriveChanged(live, { ...step, position, touched: viewsTouchedBy(arrived, engine.world) });
    if (frames.length === 0) return;
    live.batches.push({ position, bytes: encodeFrames(frames, { position, store: step.store }) });
    forgetRemoved(live);
  } catch (error) {
    log.error("live views could not be derived; clients load theirs again", { reason: String(error) });
    const frame = formatFrame("reset", { reason: "views-failed" });
    live.batches.push({ position, bytes: encodeFrames([frame], { position, store: step.store }) });
  }
}

/** The views that changed after a position; null: too long ago to know. */
export function changedAfter(live: LiveState, position: number): readonly ViewKey[] | null {
  if (position < live.forgotten) return null;
  return [...live.views].flatMap(([key, { version }]) => (version > position ? [key] : []));
}

async function deriveChanged(
  live: LiveState,
  step: Advance & { readonly position: number; readonly touched: ReadonlySet<ViewKey> },
): Promise<readonly string[]> {
  const { sources, extra, position, touched } = step;
  // All of them read the world at `position`: nothing else runs before the first text is awaited.
  const derived = await Promise.all(
    [...new Set([...touched, ...extra])].map(async (key) => [key, await deriveView(key, sources)] as const),
  );
  const frames: string[] = [];
  for (const [key, { event, data, isRemoved }] of derived) {
    const frame = formatFrame(event, data);
    const before = live.views.get(key);
    if (before?.frame === frame) continue;
    const isNews = touched.has(key);
    if (isNews) frames.push(frame);
    live.views.set(key, { frame, isRemoved, version: isNews ? position : (before?.version ?? 0) });
  }
  return frames;
}

// Removed views are kept only while a batch contains them, or a long-lived stream would keep everything.
function forgetRemoved(live: LiveState): void {
  const oldest = live.batches.oldest() ?? 0;
  for (const [key, { isRemoved, version }] of live.views) {
    if (!isRemoved || version >= oldest) continue;
    live.views.delete(key);
    live.forgotten = Math.max(live.forgotten, version);
  }
}
