import { listNotInEffect, listNotInVersion } from "./in-effect.ts";
import type { ParsedConfig } from "./parse.ts";
import { type CheckSettings, listIgnoredSettings } from "./plugin-settings.ts";

/** Keys of a valid file that have no effect, and rules that are off, one line each. */
export function configNotes(
  { written, undecided }: Pick<ParsedConfig, "written" | "undecided">,
  settings: CheckSettings,
): readonly string[] {
  return [
    ...undecided.map(({ text }) => text),
    ...listNotInEffect(written),
    ...listNotInVersion(written),
    ...listIgnoredSettings(written, settings),
  ];
}
