import { type EffectDeps, type Executor, requireSession, runRef, type SpecOf } from "../executor.ts";

/** What a program gets to end by itself before it is killed. */
export const END_GRACE_MS = 5000;

/** Ends the agent's process and its children; ending twice is fine, so repeating it reconciles. */
export const endRun: Executor<"end-run"> = {
  survivesDaemon: false,
  concurrency: 16,
  execute: end,
  reconcile: async () => ({ kind: "not-done" }),
};

async function end(
  spec: SpecOf<"end-run">,
  _intentId: string,
  deps: EffectDeps,
): Promise<{ readonly kind: "run-ended"; readonly code: null; readonly evidence: string }> {
  const session = requireSession(deps, spec.sessionId);
  await deps.runtimeOf(session).end(runRef(deps, session.id, spec.run), END_GRACE_MS);
  deps.faultPoint("end-run: before the output is read to its end");
  await deps.recordRunEnd(session.id, spec.run);
  return { kind: "run-ended", code: null, evidence: "ended by ao" };
}
