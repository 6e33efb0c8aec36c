import type { CapacityView } from "../../../../src/protocol/views/capacity.ts";
import { formatClock, formatDate, isToday } from "../../lib/time.ts";

type Agent = CapacityView["agents"][number];
const DAY_MS = 24 * 60 * 60_000;

export type RateWindow = Agent["windows"][number];

/** An agent and one of its windows; an agent's first row shows the rest about it. */
export interface WindowRow {
  readonly agent: Agent;
  readonly window: RateWindow | null;
  readonly isFirst: boolean;
}

/** One row per window; an agent without any has one row too. */
export function windowRows(agents: readonly Agent[]): readonly WindowRow[] {
  return agents.flatMap((agent) => {
    const windows = agent.windows.length === 0 ? [null] : agent.windows;
    return windows.map((window, index) => ({ agent, window, isFirst: index === 0 }));
  });
}

/** Is a window enough, and how long does it last? */
export function describeWindow(
  { usedPercent, exhaustedAt, resetsAt, samples }: RateWindow,
  now: number,
): { readonly text: string; readonly isBad: boolean } {
  const at = (time: string): string =>
    isToday(time, now) ? formatClock(time) : `${formatDate(time)} ${formatClock(time)}`;
  const reset = resetsAt === null ? "" : `resets at ${at(resetsAt)}`;
  if (usedPercent >= 100) return { text: ["used up", reset].filter(Boolean).join(", "), isBad: true };
  if (exhaustedAt !== null) {
    return { text: [`used up at ${at(exhaustedAt)} at this pace`, reset].filter(Boolean).join(", "), isBad: true };
  }
  const isEnough = samples.length > 1 && isSoon(resetsAt, now);
  return { text: isEnough ? `${reset}, enough at this pace` : reset, isBad: false };
}

/** An hour's pace says something about a day, not about a week. */
function isSoon(resetsAt: string | null, now: number): boolean {
  return resetsAt !== null && Date.parse(resetsAt) - now <= DAY_MS;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A window's chart: how it filled, and the projection. */
export interface WindowPicture {
  readonly past: readonly Point[];
  readonly now: number;
  /** Where the curve ends at the current pace; null: unknown. */
  readonly ahead: Point | null;
  /** From here to the reset nothing is left; null: it lasts. */
  readonly emptyFrom: number | null;
  readonly reset: number | null;
}

/** Positions everything in a chart of this size. */
export function drawWindow(
  { samples, usedPercent, resetsAt, exhaustedAt }: RateWindow,
  { now, width, height }: { readonly now: number; readonly width: number; readonly height: number },
): WindowPicture {
  const times = samples.map(({ at }) => Date.parse(at));
  const reset = resetsAt === null ? null : Date.parse(resetsAt);
  const from = Math.min(now, ...times);
  const to = Math.max(now + 1, reset ?? 0, exhaustedAt === null ? 0 : Date.parse(exhaustedAt));
  const x = (time: number): number => ((time - from) / (to - from)) * width;
  const y = (percent: number): number => height - (Math.min(100, percent) / 100) * height;
  const past = samples.map((sample, index) => ({ x: x(times[index] ?? now), y: y(sample.usedPercent) }));
  const emptyAt = exhaustedAt === null ? null : Math.max(now, Date.parse(exhaustedAt));
  return {
    past: [...past, { x: x(now), y: y(usedPercent) }],
    now: x(now),
    ahead: emptyAt === null ? aheadOf() : { x: x(emptyAt), y: 0 },
    emptyFrom: emptyAt === null ? null : x(emptyAt),
    reset: reset === null ? null : x(reset),
  };

  function aheadOf(): Point | null {
    const first = samples[0];
    const started = times[0];
    if (first === undefined || started === undefined || reset === null || now <= started || !isSoon(resetsAt, now))
      return null;
    const perMs = (usedPercent - first.usedPercent) / (now - started);
    return { x: x(reset), y: y(usedPercent + perMs * (reset - now)) };
  }
}
