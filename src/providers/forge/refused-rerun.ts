import { PluginError } from "../../core/errors.ts";

/**
 * The error of a re-run that the forge forbids. Other writes wait until the token gets the right; an agent must not wait
 * for a re-run that may never come. An expired token (401) stops everything, so it is waited for here as well.
 */
export function refusedRerun(error: unknown): unknown {
  const isForbidden = error instanceof PluginError && error.category === "auth" && !error.message.includes("(401)");
  if (!isForbidden) return error;
  const { plugin, message } = error;
  return new PluginError({ plugin, category: "conflict", message });
}
