import { listNotInEffect, listNotInVersion } from "./in-effect.ts";
import { type CheckSettings, listIgnoredSettings } from "./plugin-settings.ts";
import type { WrittenConfig } from "./schema.ts";

/** Keys of a valid file that have no effect, one line each. */
export function configNotes(written: WrittenConfig, settings: CheckSettings): readonly string[] {
  return [...listNotInEffect(written), ...listNotInVersion(written), ...listIgnoredSettings(written, settings)];
}
