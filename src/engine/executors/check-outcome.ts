import { findRefusal } from "../../core/cause/find-refusal.ts";
import { fingerprintOf } from "../../core/cause/fingerprint.ts";
import { readFailure } from "../../core/cause/read-failure.ts";
import type { CheckSandbox } from "../../core/check-sandbox.ts";
import type { IntentOutcome } from "../../core/intent.ts";
import { endOfLog } from "../../core/log-end.ts";
import { defuse } from "../../core/reaction/template.ts";
import type { CheckAnswer } from "../../ports/scm-check.ts";
import type { EffectDeps } from "../executor.ts";

/** How a check ended, with a fingerprint of the failure. A refusal by its sandbox does not count as a failure of the commit. */
export async function toCheckOutcome(
  answer: CheckAnswer,
  deps: Pick<EffectDeps, "keepText">,
  { check, sandbox }: { readonly check: string; readonly sandbox: CheckSandbox | null },
): Promise<IntentOutcome> {
  if (answer.kind === "cancelled") return cancelled();
  const log = defuse(endOfLog(answer.log));
  const isSetUp = answer.kind === "setup-failed";
  const refused = answer.kind === "passed" || sandbox === null ? null : findRefusal(log, { check, isSetUp }, sandbox);
  return {
    kind: "check-ended",
    state: refused === null ? answer.kind : "setup-failed",
    code: answer.kind === "failed" ? answer.code : null,
    log: await deps.keepText(log),
    fingerprint: fingerprintOf(log),
    tookMs: answer.tookMs,
    ...(answer.kind === "passed" ? {} : readFailure(log)),
    ...(sandbox === null ? {} : { isSandboxed: true as const }),
    ...(refused === null ? {} : { refused }),
  };
}

function cancelled(): IntentOutcome {
  return { kind: "check-ended", state: "cancelled", code: null, log: null, fingerprint: "", tookMs: null };
}
