import type { IntentOutcome } from "../../core/intent.ts";
import { ownStart } from "../../core/stack/base.ts";
import type { MergeAnswer, MergeRequest } from "../../ports/scm.ts";
import { type EffectDeps, type Executor, type Reconciled, requireChange, type SpecOf } from "../executor.ts";
import { findRefusal } from "../run-hooks.ts";
import { holdIfPassing } from "./hold.ts";

type Spec = SpecOf<"merge-change">;

/** Merges exactly one commit, once; after a crash the repository itself shows whether it is done. */
export const mergeChange: Executor<"merge-change"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, intentId, deps) => {
    const change = requireChange(deps, spec.changeKey);
    const { projectId, number } = change;
    const question = { point: "before-merge", text: `#${number} is about to be merged`, intentId } as const;
    const refusal = await findRefusal(change, question, deps);
    if (refusal !== null) return { kind: "failed", code: "conflict", message: refusal, hint: null };
    const request = await requestFor(spec, deps);
    const merged = deps.scmOf(projectId).merge(request);
    return merged
      .then((answer) => {
        deps.faultPoint("merge-change: before it is recorded");
        return toOutcome(answer, request, deps);
      })
      .catch(holdMerge);
  },
  reconcile: (spec, _intentId, deps) =>
    reconcile(spec, deps).catch((error: unknown) => ({ kind: "done", outcome: holdMerge(error) }) as const),
};

// Merging again is safe: an existing merge is found.
const holdMerge = holdIfPassing((pause) => ({ kind: "merge-waits", files: [], ...pause }));

async function reconcile(spec: Spec, deps: EffectDeps): Promise<Reconciled> {
  const { projectId } = requireChange(deps, spec.changeKey);
  const request = await requestFor(spec, deps);
  const answer = await deps.scmOf(projectId).reconcileMerge(request);
  if (answer.kind !== "done") return answer;
  return { kind: "done", outcome: await toOutcome(answer.value, request, deps) };
}

/** The request to the forge for merging or building. */
export async function requestFor(
  spec: Pick<Spec, "changeKey" | "head" | "strategy" | "exact">,
  deps: EffectDeps,
): Promise<MergeRequest> {
  const change = requireChange(deps, spec.changeKey);
  const startsAfter = change.head === spec.head ? ownStart(change) : null;
  return {
    project: deps.scmProjectOf(change.projectId),
    number: change.number,
    branch: change.branch,
    base: change.base,
    head: spec.head,
    strategy: spec.strategy,
    title: change.title,
    body: change.body === null ? "" : await deps.textOf(change.body),
    ...(startsAfter === null ? {} : { startsAfter }),
    ...(change.mergeRequest === null ? {} : { requestedAt: change.mergeRequest.at }),
    ...(spec.exact === undefined ? {} : { exact: spec.exact }),
  };
}

async function toOutcome(answer: MergeAnswer, request: MergeRequest, deps: EffectDeps): Promise<IntentOutcome> {
  switch (answer.kind) {
    case "merged":
      return { kind: "merged", commit: answer.commit, baseBefore: answer.baseBefore };
    case "queued": {
      const { name, position, removal } = answer;
      return { kind: "merge-queued", name, position, removal };
    }
    case "waits":
      return { kind: "merge-waits", reason: answer.reason, files: answer.files };
    case "conflict":
      return outdated(request, deps, `it conflicts with ${request.base} in ${answer.files.slice(0, 5).join(", ")}`);
    case "lost":
      return { kind: "train-lost" };
    case "base-moved":
      return outdated(request, deps, `${request.base} has moved since`);
    case "moved":
      return outdated(request, deps, `${request.branch} has moved since`);
  }
}

async function outdated(request: MergeRequest, deps: EffectDeps, reason: string): Promise<IntentOutcome> {
  const scm = deps.scmOf(request.project.id);
  const facts = await scm.readBranch(request.project, request.branch, request.base);
  if (facts === null) return { kind: "merge-outdated", reason: `there is no branch ${request.branch}`, facts: null };
  const { head, baseHead, ahead } = facts;
  return { kind: "merge-outdated", reason, facts: { head, baseHead, ahead } };
}
