import type { ReportedQueue } from "../../../core/change/observation.ts";
import { toChecks } from "./checks.ts";
import type { Pull } from "./query.ts";

type Removal = NonNullable<ReportedQueue<string>["removal"]>;

/** The place of a pull request in GitHub's merge queue, and why it last left it. */
export function toQueue({ mergeQueueEntry, timelineItems }: Pull): ReportedQueue<string> {
  return { position: mergeQueueEntry?.position ?? null, removal: toRemoval(timelineItems.at(-1)) };
}

function toRemoval(event: Pull["timelineItems"][number] | undefined): Removal | null {
  if (event === undefined) return null;
  const word = (event.reason ?? "").toUpperCase();
  // A merge also removes it from the queue.
  if (word === "MERGE" || word === "ALREADY_MERGED") return null;
  const [cause, reason] = REASONS[word] ?? (["other", `GitHub says ${event.reason ?? "nothing"}`] as const);
  const tried = event.beforeCommit?.statusCheckRollup?.contexts ?? [];
  const check = toChecks(tried).find(({ state }) => state === "failed" || state === "timed-out");
  return { id: event.id, cause, reason, ...(check === undefined ? {} : { check }) };
}

const REASONS: Readonly<Record<string, readonly [cause: Removal["cause"], reason: string]>> = {
  CI_FAILURE: ["failure", "its checks failed together with what was merged before it"],
  CI_TIMEOUT: ["failure", "its checks did not end in time"],
  MERGE_CONFLICT: ["failure", "it conflicts with what was merged before it"],
  GIT_TREE_INVALID: ["failure", "it does not merge with what was merged before it"],
  INVALID_MERGE_COMMIT: ["failure", "it does not merge with what was merged before it"],
  MANUAL: ["person", "somebody removed it"],
  QUEUE_CLEARED: ["other", "somebody cleared the queue"],
  ROLL_BACK: ["other", "the queue was rolled back"],
  BRANCH_PROTECTIONS: ["other", "the rules of the base branch are not met"],
};
