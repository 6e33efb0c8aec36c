import type { IntentOutcome } from "../../core/intent.ts";
import { type EffectDeps, type Executor, requireChange, type SpecOf } from "../executor.ts";
import { holdEffect } from "./hold.ts";

/** Closes the issue of a merged change; a closed one stays closed, so repeating it reconciles. */
export const closeIssue: Executor<"close-issue"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: (spec, _intentId, deps) => close(spec, deps).catch(holdEffect),
  reconcile: async () => ({ kind: "not-done" }),
};

async function close(spec: SpecOf<"close-issue">, deps: EffectDeps): Promise<IntentOutcome> {
  const { projectId } = requireChange(deps, spec.changeKey);
  const tracker = await deps.trackerOf(projectId);
  const [issue] = await tracker.get([spec.issue]);
  if (issue === undefined) return { kind: "issue-settled", closed: false, reason: "the tracker has no such issue" };
  if (issue.state === "closed") return { kind: "issue-settled", closed: true, reason: "it was closed" };
  if (tracker.edit === undefined) {
    return { kind: "issue-settled", closed: false, reason: "the tracker cannot be written" };
  }
  await tracker.edit(spec.issue, { state: "closed" });
  return { kind: "issue-settled", closed: true, reason: "closed because its pull request was merged" };
}
