import { misuse } from "./usage-error.ts";

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `30s`, `5m`, `1h` or a bare number of seconds. */
export function parseDuration(written: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(written.trim());
  if (match === null) throw misuse(`${option} is not a duration: ${JSON.stringify(written)}`, "Write 30s, 5m or 1h.");
  return Number(match[1]) * (UNITS_MS[match[2] ?? "s"] ?? 1000);
}

/** How long ago, in its largest unit: `12s`, `5m`, `3h`, `9d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
