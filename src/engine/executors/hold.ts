import { PluginError } from "../../core/errors.ts";
import type { IntentOutcome } from "../../core/intent.ts";

/** What passes by itself, or with a new token; whether it was done shows when it is tried again. */
const PASSING: readonly string[] = ["rate-limited", "unavailable", "timeout", "unknown-outcome", "auth"];

interface Pause {
  readonly reason: string;
  readonly retryAfterMs?: number;
}

/** Makes an effect that may be repeated wait for a forge or tracker that cannot be reached now; other errors are thrown on. */
export function holdIfPassing(toOutcome: (pause: Pause) => IntentOutcome): (error: unknown) => IntentOutcome {
  return (error) => {
    if (!(error instanceof PluginError) || !PASSING.includes(error.category)) throw error;
    const { message, hint, retryAfterMs } = error;
    const reason = hint === undefined ? message : `${message} ${hint}`;
    return toOutcome({ reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  };
}

/** The same for an effect without an outcome of its own for it. */
export const holdEffect = holdIfPassing((pause) => ({ kind: "effect-held", ...pause }));
