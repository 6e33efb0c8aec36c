import { fingerprintOf } from "../../core/cause/fingerprint.ts";
import { readFailure } from "../../core/cause/read-failure.ts";
import type { IntentOutcome } from "../../core/intent.ts";
import { endOfLog } from "../../core/log-end.ts";
import { defuse } from "../../core/reaction/template.ts";
import type { CheckAnswer } from "../../ports/scm.ts";
import type { EffectDeps } from "../executor.ts";

/** How a check ended, with a fingerprint of the failure. */
export async function toCheckOutcome(answer: CheckAnswer, deps: EffectDeps): Promise<IntentOutcome> {
  if (answer.kind === "cancelled") return cancelled();
  const log = defuse(endOfLog(answer.log));
  return {
    kind: "check-ended",
    state: answer.kind,
    code: answer.kind === "failed" ? answer.code : null,
    log: await deps.keepText(log),
    fingerprint: fingerprintOf(log),
    tookMs: answer.tookMs,
    ...(answer.kind === "passed" ? {} : readFailure(log)),
  };
}

function cancelled(): IntentOutcome {
  return { kind: "check-ended", state: "cancelled", code: null, log: null, fingerprint: "", tookMs: null };
}
