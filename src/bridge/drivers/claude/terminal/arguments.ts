import { briefArguments, MODES, type Start, toRules } from "../arguments.ts";
import type { Settings } from "../settings.ts";

/** The arguments for one launch in a terminal; everything else is in the settings file of this launch. */
export function composeTerminalArguments(settings: Settings, start: Start, settingsFile: string): readonly string[] {
  return [
    ...["--permission-mode", MODES[settings.permissions], "--settings", settingsFile],
    ...(settings.model === undefined ? [] : ["--model", settings.model]),
    ...briefArguments(settings, start),
    start.isKnown ? "--resume" : "--session-id",
    start.conversation,
  ];
}

/** The settings file of one launch; those of the user stay in force beside it. */
export function composeSettings(settings: Settings, hooks: Readonly<Record<string, unknown>>): string {
  const permissions = { allow: settings.allow.flatMap(toRules), deny: settings.deny.flatMap(toRules) };
  return JSON.stringify({ hooks, permissions }, null, 2);
}
