import type { ZodType } from "zod";
import { PluginError } from "../../core/errors.ts";

/** Parses an answer with its schema, or throws an error that says where it differs from the vendor's documentation. */
export function parseAnswer<T>(
  schema: ZodType<T>,
  data: unknown,
  asked: { readonly plugin: string; readonly vendor: string; readonly what: string },
): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const where = first === undefined ? "" : ` at ${first.path.join(".") || "its top"}: ${first.message}`;
  throw new PluginError({
    plugin: asked.plugin,
    category: "bad-response",
    message: `The answer to ${asked.what} is not what ${asked.vendor} documents${where}.`,
  });
}
