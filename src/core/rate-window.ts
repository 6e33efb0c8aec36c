/** A window of a vendor's rate limit, such as five hours, and how much of it is used. */
export interface RateWindow {
  readonly name: string;
  readonly usedPercent: number;
  /** null: the agent does not say. */
  readonly resetsAt: number | null;
}

interface Sample {
  readonly at: number;
  readonly usedPercent: number;
}

/** A window with how it filled since it began. */
export interface ObservedWindow extends RateWindow {
  /** In the order of time; the last one is the newest report. */
  readonly samples: readonly Sample[];
}

const MAX_SAMPLES = 60;
/** Nearer ones are one point of a curve. */
const SAMPLE_MS = 60_000;
/** What came earlier says little about the pace of now. */
const PACE_MS = 60 * 60_000;
/** An hour says nothing about a week. */
const HORIZON_MS = 24 * PACE_MS;

/** The windows of a program after one of its agents reported: those that it names replace what was known. */
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
  // Less than before: the window began anew.
  const isNew = (before.at(-1)?.usedPercent ?? 0) > window.usedPercent;
  const kept = isNew ? [] : before;
  const sample = { at, usedPercent: window.usedPercent };
  const isNear = kept.length > 1 && at - (kept.at(-2)?.at ?? 0) < SAMPLE_MS;
  return { ...window, samples: [...(isNear ? kept.slice(0, -1) : kept), sample].slice(-MAX_SAMPLES) };
}

/** When a window is used up if agents go on as in the last hour; null: not before it resets, or nobody can say. */
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
