import { listNotInEffect, listNotInVersion } from "./in-effect.ts";
import { type CheckSettings, listIgnoredSettings } from "./plugin-settings.ts";
import type { WrittenConfig } from "./schema.ts";

/** What a valid file says that does nothing, one line for each key. */
export function configNotes(written: WrittenConfig, settings: CheckSettings): readonly string[] {
  return [...listNotInEffect(written), ...listNotInVersion(written), ...listIgnoredSettings(written, settings)];
}
