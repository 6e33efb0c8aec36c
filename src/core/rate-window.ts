/** A window of a vendor's rate limit, such as five hours, and how much of it is used. */
export interface RateWindow {
  readonly name: string;
  readonly usedPercent: number;
  /** null: not reported. */
  readonly resetsAt: number | null;
}

interface Sample {
  readonly at: number;
  readonly usedPercent: number;
}

/** A window with its history since it started. */
export interface ObservedWindow extends RateWindow {
  /** In time order; the last one is the newest report. */
  readonly samples: readonly Sample[];
}

const MAX_SAMPLES = 60;
/** Samples closer together than this are one point of the curve. */
const SAMPLE_MS = 60_000;
/** Earlier samples say little about the current pace. */
const PACE_MS = 60 * 60_000;
/** An hour says nothing about a week. */
const HORIZON_MS = 24 * PACE_MS;

/** The windows of a program after an agent's report: those that it names replace the known ones. */
export function observeWindows(
  known: readonly ObservedWindow[],
  reported: readonly RateWindow[],
  at: number,
): readonly ObservedWindow[] {
  const others = known.filter(({ name }) => reported.every((window) => window.name !== name));
  const open = others.filter(({ resetsAt }) => resetsAt === null || resetsAt > at);
  return [...reported.map((window) => observe(known, window, at)), ...open];
}

function observe(known: readonly ObservedWindow[], window: RateWindow, at: number): ObservedWindow {
  const before = known.find(({ name }) => name === window.name)?.samples ?? [];
  // Less than before: the window started over.
  const isNew = (before.at(-1)?.usedPercent ?? 0) > window.usedPercent;
  const kept = isNew ? [] : before;
  const sample = { at, usedPercent: window.usedPercent };
  const isNear = kept.length > 1 && at - (kept.at(-2)?.at ?? 0) < SAMPLE_MS;
  return { ...window, samples: [...(isNear ? kept.slice(0, -1) : kept), sample].slice(-MAX_SAMPLES) };
}

/** When a window is used up at the pace of the last hour; null: not before it resets, or unknown. */
export function predictExhaustion({ samples, resetsAt }: ObservedWindow): number | null {
  const last = samples.at(-1);
  if (last === undefined) return null;
  if (last.usedPercent >= 100) return last.at;
  const first = samples.find(({ at }) => at >= last.at - PACE_MS);
  if (first === undefined || last.at - first.at < SAMPLE_MS || last.usedPercent <= first.usedPercent) return null;
  const msPerPercent = (last.at - first.at) / (last.usedPercent - first.usedPercent);
  const at = last.at + (100 - last.usedPercent) * msPerPercent;
  const isTooLate = at > last.at + HORIZON_MS || (resetsAt !== null && at >= resetsAt);
  return isTooLate ? null : at;
}
