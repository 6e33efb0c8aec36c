import { PluginError } from "../../core/errors.ts";

/** For records that may not exist, or no longer exist. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof PluginError) || error.category !== "not-found") throw error;
  return undefined;
}
