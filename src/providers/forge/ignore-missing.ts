import { PluginError } from "../../core/errors.ts";

/** For what may not be there, or not any more. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof PluginError) || error.category !== "not-found") throw error;
  return undefined;
}
