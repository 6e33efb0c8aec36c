import { z } from "zod";

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const SIZE = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/i;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const UNIT_POWER = "BKMGT";

/** A written duration such as `90s`, `30m` or `2h`. */
export const Duration = z
  .string({ error: "expected a duration such as 90s, 30m or 2h" })
  .regex(DURATION, "expected a duration such as 90s, 30m or 2h")
  .meta({ id: "Duration", examples: ["90s", "30m", "2h"] });

const DURATION_OR_NEVER = "expected a duration such as 30m, or never";

/** How long, or never. */
export const DurationOrNever = z
  .string({ error: DURATION_OR_NEVER })
  .regex(new RegExp(`^never$|${DURATION.source}`), DURATION_OR_NEVER)
  .meta({ examples: ["30m", "never"] });

/** A written amount of memory: `512MB`, `2GB`. */
export const Size = z
  .string({ error: "expected an amount of memory such as 512MB or 2GB" })
  .regex(SIZE, "expected an amount of memory such as 512MB or 2GB")
  .meta({ id: "Size", examples: ["512MB", "2GB"] });

const COUNT_OR_DURATION = "expected a count such as 2, or a duration such as 30m";

/** A count or a duration. */
export const CountOrDuration = z.union([z.int().min(1), z.string().regex(DURATION, COUNT_OR_DURATION)], {
  error: COUNT_OR_DURATION,
});

/** One string or a list of them. */
export const TextOrList = z.union([z.string(), z.array(z.string())], { error: "expected a text or a list of texts" });

/** A positive integer. */
export const Count = z.int().min(1);

/** An amount of money in US dollars. */
export const Money = z.number().min(0);

/** Milliseconds of a valid written duration. */
export function durationMs(text: string): number {
  const match = DURATION.exec(text);
  return match === null ? Number.NaN : Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN);
}

/** The shortest written form of a duration, for help texts. */
export function formatDuration(ms: number): string {
  const unit = ["d", "h", "m", "s"].find((name) => ms % (UNIT_MS[name] ?? 1) === 0) ?? "ms";
  return `${ms / (UNIT_MS[unit] ?? 1)}${unit}`;
}

/** Bytes of a valid written size; KB and KiB both count 1024. */
export function sizeBytes(text: string): number {
  const match = SIZE.exec(text);
  if (match === null) return Number.NaN;
  const power = UNIT_POWER.indexOf((match[2] ?? "B").charAt(0).toUpperCase());
  return Math.round(Number(match[1]) * 1024 ** power);
}
