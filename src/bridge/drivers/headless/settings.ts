import { z } from "zod";
import { AoError } from "../../../core/errors.ts";

/** Settings that are the same for all programs of this kind. */
export const commonSettings = {
  /** The program, and arguments that come before ours. */
  command: z.array(z.string()).min(1),
  model: z.string().min(1).optional(),
};

/** Reads the settings from the command line. */
export function parseSettings<T>(schema: z.ZodType<T>, title: string, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AoError({
    code: "config-invalid",
    message: `The settings of ${title} are not right: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  });
}
