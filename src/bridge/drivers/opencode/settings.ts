import { z } from "zod";
import { policySettings, readSettings } from "../../kit/settings.ts";

const Settings = z.object({
  ...policySettings,
  command: policySettings.command.default(["opencode"]),
  /** The limit until prompts are accepted. */
  startLimitMs: z.number().int().positive().default(120_000),
});
/** What the plugin passes for one session. */
export type Settings = z.infer<typeof Settings>;

/** Parses the settings from the command line. */
export function parseSettings(value: unknown): Settings {
  return readSettings(Settings, "OpenCode", value);
}
