import { z } from "zod";
import { AoError } from "../../core/errors.ts";

/** The program, and arguments that come before ours. */
const commandSetting = z.array(z.string()).min(1);

/** Settings shared by all programs. */
export const commonSettings = { command: commandSetting, model: z.string().min(1).optional() };

/** The same with the policy, for programs that ask before they act. */
export const policySettings = {
  ...commonSettings,
  permissions: z.enum(["ask", "edits", "all"]).default("ask"),
  allow: z.array(z.string().min(1)).default([]),
  ask: z.array(z.string().min(1)).default([]),
  deny: z.array(z.string().min(1)).default([]),
};

/** Parses the settings from the command line. */
export function readSettings<T>(schema: z.ZodType<T>, title: string, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AoError({
    code: "config-invalid",
    message: `Invalid settings for ${title}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  });
}
