import { PluginError } from "../../../core/errors.ts";

/** For a deletion of what may be gone already. */
export function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof PluginError) || error.category !== "not-found") throw error;
  return undefined;
}
