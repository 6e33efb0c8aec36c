import { z } from "zod";
import { policySettings, readSettings } from "../../kit/settings.ts";

const Settings = z.object({
  ...policySettings,
  command: policySettings.command.default(["claude"]),
});
/** What the plugin passes for one session. */
export type Settings = z.infer<typeof Settings>;

/** Parses the settings from the command line. */
export function parseSettings(value: unknown): Settings {
  return readSettings(Settings, "Claude Code", value);
}
