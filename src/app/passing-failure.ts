import { PluginError } from "../core/errors.ts";

const PASSING: readonly string[] = ["rate-limited", "unavailable", "timeout", "unknown-outcome"];

/** Is it worth retrying later, though nothing changes here? */
export function isPassing(error: unknown): error is PluginError {
  return error instanceof PluginError && PASSING.includes(error.category);
}
