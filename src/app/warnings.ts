import type { FindingView } from "../protocol/views/daemon.ts";
import { listForeign } from "../providers/git/programs.ts";
import type { Kernel } from "./kernel.ts";

/** A lag that NTP corrects by itself is not worth a warning. */
const WORTH_TELLING_MS = 60_000;

/**
 * What works but needs attention: a wrong clock, sessions that the store had lost, programs in git's settings, a forge
 * that does not answer.
 */
export function findWarnings({
  engine,
  adopted,
  paths,
}: Pick<Kernel, "engine" | "adopted" | "paths">): readonly FindingView[] {
  const warnings: FindingView[] = [];
  const lagMs = engine.loop.now() - Date.now();
  if (lagMs >= WORTH_TELLING_MS) {
    const text = `The clock of this machine is ${Math.round(lagMs / 60_000)} min behind the newest event: it was set back, or was wrong before. Retries and deadlines continue by elapsed time.`;
    warnings.push({ name: "clock", state: "warn", text, fix: "Check the date and NTP: `timedatectl`." });
  }
  if (adopted.length > 0) {
    const text = `The store had lost ${adopted.length === 1 ? "1 session" : `${adopted.length} sessions`}, taken in again from disk: ${adopted.join(", ")}. Messages that waited and the timeline are gone.`;
    warnings.push({
      name: "store",
      state: "warn",
      text,
      fix: `Do not copy or delete ${paths.database} without its -wal file.`,
    });
  }
  for (const text of listForeign()) {
    warnings.push({ name: "git programs", state: "warn", text, fix: "Look at .git/config and .git/hooks." });
  }
  for (const { projectId, since, message, hint } of engine.forgeTroubles()) {
    const minutes = Math.max(1, Math.round((engine.loop.now() - since) / 60_000));
    const text = `Pull requests of ${projectId} could not be read for ${minutes} min: ${message}`;
    warnings.push({ name: `pull requests of ${projectId}`, state: "warn", text, fix: hint });
  }
  return warnings;
}
