const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The time windows of a list. */
export const WINDOWS = ["3h", "1h", "12h", "24h"] as const;
export type Window = (typeof WINDOWS)[number];

/** `w` cycles from the shortest to the longest. */
export function nextWindow(now: Window): Window {
  const order: readonly Window[] = ["1h", "3h", "12h", "24h"];
  return order[(order.indexOf(now) + 1) % order.length] ?? "3h";
}

export function hoursOf(window: Window): number {
  return Number.parseInt(window, 10);
}

export interface Tick {
  /** Position: 0 at the start of the axis, 1 at its end. */
  readonly at: number;
  readonly time: number;
}

/** Round times on an axis, without those that would overlap the label at its end. */
export function axisTicks(from: number, to: number): readonly Tick[] {
  const step = stepFor(to - from);
  const offset = new Date(to).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((from - offset) / step) * step + offset;
  const ticks: Tick[] = [];
  for (let time = first; time < to; time += step) {
    const at = (time - from) / (to - from);
    if (at <= 0.8) ticks.push({ at, time });
  }
  return ticks;
}

/** About three labels fit on 240 pixels. */
function stepFor(span: number): number {
  const steps = [15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
  return steps.find((step) => span / step <= 4) ?? 12 * HOUR;
}
