import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";

type Facts = Pick<PullRequestDetailView, "checks" | "mergeability" | "rules" | "blockers" | "mergeRequest">;
export type Suggestion = "request-changes" | "approve-then-merge" | "merge" | null;

/** The one verdict to suggest. An approval only where nothing else is missing: nobody should approve a red check by habit. */
export function suggestVerdict(facts: Facts, pending: number): Suggestion {
  if (pending > 0) return "request-changes";
  const { checks, mergeability, rules, blockers, mergeRequest } = facts;
  if (mergeRequest !== null) return null;
  if (blockers.length === 0) return "merge";
  const isGreen = checks.every(({ state, required }) => state === "passed" || !required);
  const others = rules.filter(
    ({ kind, verdict }) => kind !== "approvals" && (verdict === "blocking" || verdict === "waiting"),
  );
  return isGreen && mergeability?.kind === "clean" && others.length === 0 ? "approve-then-merge" : null;
}
