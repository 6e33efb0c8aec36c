import type { Kernel } from "./kernel.ts";

/** A lag that NTP corrects by itself is not worth a word. */
const WORTH_TELLING_MS = 60_000;

/** What to tell about a clock that is behind the newest event; null: it is right. */
export function describeClockLag({ engine }: Pick<Kernel, "engine">): string | null {
  const lagMs = engine.loop.now() - Date.now();
  if (lagMs < WORTH_TELLING_MS) return null;
  return `The clock of this machine is ${Math.round(lagMs / 60_000)} min behind the newest event: it was set back, or was wrong before. Retries and deadlines continue by elapsed time.`;
}
