const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A duration for people: "12 s", "4 min", "1 h 12", "2 d". */
export function formatSpan(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 24 * HOUR) return `${Math.floor(ms / HOUR)} h ${pad(Math.floor((ms % HOUR) / MINUTE))}`;
  return `${Math.floor(ms / (24 * HOUR))} d`;
}

/** How long ago an instant was. */
export function formatAge(at: string, now: number): string {
  return formatSpan(now - Date.parse(at));
}

/** Local time of day: "14:36", with seconds "14:36:07". */
export function formatClock(at: string | number, options: { readonly seconds?: boolean } = {}): string {
  const date = new Date(at);
  const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  return options.seconds === true ? `${clock}:${pad(date.getSeconds())}` : clock;
}

/** The clock for today, "yesterday 14:36" and "12 Nov 14:36" for earlier days. */
export function formatMoment(at: string, now: number): string {
  const clock = formatClock(at);
  const days = daysBetween(Date.parse(at), now);
  if (days === 0) return clock;
  return days === 1 ? `yesterday ${clock}` : `${formatDate(at)} ${clock}`;
}

/** "12 Nov". */
export function formatDate(at: string | number): string {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

/** The exact instant, for tooltips: "2026-11-16 14:36:07". */
export function formatExact(at: string | number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${formatClock(at, { seconds: true })}`;
}

/** The time left until an instant; a countdown stops at "due". */
export function formatCountdown(until: string, now: number): string {
  const left = Date.parse(until) - now;
  return left <= 0 ? "due" : `in ${formatSpan(left)}`;
}

/** Is an instant on the same day as `now`, in local time? */
export function isToday(at: string, now: number): boolean {
  return daysBetween(Date.parse(at), now) === 0;
}

function daysBetween(at: number, now: number): number {
  const startOfDay = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((startOfDay(now) - startOfDay(at)) / (24 * HOUR));
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
