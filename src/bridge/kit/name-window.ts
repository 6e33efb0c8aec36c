const HOUR = 60;
const DAY = 24 * HOUR;

/** A rate-limit window's length in words. */
export function nameWindow(minutes: number): string {
  if (minutes % DAY === 0) return minutes === DAY ? "1 day" : `${minutes / DAY} days`;
  return minutes % HOUR === 0 ? `${minutes / HOUR} h` : `${minutes} min`;
}
