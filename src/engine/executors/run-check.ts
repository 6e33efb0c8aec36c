import type { IntentOutcome } from "../../core/intent.ts";
import type { CheckRequest } from "../../ports/scm.ts";
import { type EffectDeps, type Executor, requireChange, type SpecOf } from "../executor.ts";
import { toCheckOutcome } from "./check-outcome.ts";
import { inSandbox, sandboxForChanges } from "./check-sandbox.ts";

type Spec = SpecOf<"run-check">;

/** Runs a check on one commit. It continues without the daemon; the next one adopts it, so repeating it reconciles. */
export const runCheck: Executor<"run-check"> = {
  survivesDaemon: true,
  concurrency: 2,
  execute: run,
  reconcile: async () => ({ kind: "not-done" }),
};

async function run(spec: Spec, intentId: string, deps: EffectDeps): Promise<IntentOutcome> {
  const change = requireChange(deps, spec.changeKey);
  const { projectId } = change;
  const rule = deps.policyOf(projectId)?.checks[spec.check];
  const sandbox = sandboxForChanges(deps, projectId, { rule, changes: [change] });
  const plain = await requestFor(spec, intentId, deps, rule ?? UNNAMED);
  const request = inSandbox(plain, sandbox, deps);
  // A check that is no longer configured may still be running: it is ended and cleaned up.
  const answer = await deps
    .scmOf(projectId)
    .runCheck(request, () => rule !== undefined && isWanted(spec, deps))
    .finally(() => deps.noteCheckPhase(spec, null));
  deps.faultPoint("run-check: before its result is recorded");
  return toCheckOutcome(answer, deps, { check: spec.check, sandbox });
}

const UNNAMED: CheckCommand = { run: "", setup: "", timeoutMs: 0 };

type CheckCommand = Pick<CheckRequest, "run" | "setup" | "timeoutMs">;

async function requestFor(
  spec: Spec,
  intentId: string,
  deps: EffectDeps,
  { run: command, setup, timeoutMs }: CheckCommand,
): Promise<CheckRequest> {
  const { projectId, sessionId } = requireChange(deps, spec.changeKey);
  return {
    project: deps.scmProjectOf(projectId),
    commit: spec.head,
    check: spec.check,
    run: command,
    setup,
    timeoutMs,
    folder: deps.checkDir(spec.changeKey, spec.check, spec.head, spec.attempt),
    intentId,
    env: await deps.projectEnvironment(projectId, sessionId),
    onPhase: (phase) => deps.noteCheckPhase(spec, phase),
  };
}

// A newer commit, a closed pull request or another attempt makes it pointless.
function isWanted(spec: Spec, deps: EffectDeps): boolean {
  const change = deps.change(spec.changeKey);
  if (change === undefined || change.phase !== "open" || change.head !== spec.head) return false;
  return (change.checks[spec.check]?.attempt ?? spec.attempt) === spec.attempt;
}
