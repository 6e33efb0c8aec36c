import { PluginError } from "../../core/errors.ts";
import type { IntentOutcome } from "../../core/intent.ts";

/** Temporary failures, or ones that a new token resolves; the retry shows whether the effect was done. */
const PASSING: readonly string[] = ["rate-limited", "unavailable", "timeout", "unknown-outcome", "auth"];

interface Pause {
  readonly reason: string;
  readonly retryAfterMs?: number;
}

/** Makes a repeatable effect wait for a forge or tracker that is unreachable now; rethrows other errors. */
export function holdIfPassing(toOutcome: (pause: Pause) => IntentOutcome): (error: unknown) => IntentOutcome {
  return (error) => {
    if (!(error instanceof PluginError) || !PASSING.includes(error.category)) throw error;
    const { message, hint, retryAfterMs } = error;
    const reason = hint === undefined ? message : `${message} ${hint}`;
    return toOutcome({ reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  };
}

/** The same for an effect without its own outcome for it. */
export const holdEffect = holdIfPassing((pause) => ({ kind: "effect-held", ...pause }));
