import type { QuietHours } from "../policy.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** When the current quiet hours end; null: it is not quiet now. */
export function quietUntil(hours: QuietHours, now: number): number | null {
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  const minute = localMinute(now, hours.timeZone);
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const left = (to - minute + DAY_MINUTES) % DAY_MINUTES;
  // If clocks change in between, this is evaluated again then, and may still be quiet.
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

function localMinute(now: number, timeZone: string | null): number {
  const format = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === null ? {} : { timeZone }),
  });
  return minutesOf(format.format(now));
}
