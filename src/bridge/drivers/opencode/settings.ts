import { z } from "zod";
import { AoError } from "../../../core/errors.ts";

const Settings = z.object({
  /** The program, and arguments that come before ours. */
  command: z.array(z.string()).min(1).default(["opencode"]),
  /** As `vendor/model`, or without the vendor. */
  model: z.string().min(1).optional(),
  permissions: z.enum(["ask", "edits", "all"]).default("ask"),
  allow: z.array(z.string().min(1)).default([]),
  deny: z.array(z.string().min(1)).default([]),
  /** Until prompts can be given. */
  startLimitMs: z.number().int().positive().default(120_000),
});
/** What the plugin hands over for one session. */
export type Settings = z.infer<typeof Settings>;

/** Reads the settings from the command line. */
export function parseSettings(value: unknown): Settings {
  const parsed = Settings.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AoError({
    code: "config-invalid",
    message: `The settings of OpenCode are not right: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  });
}
