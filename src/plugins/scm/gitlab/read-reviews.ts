import type { ReportedQueue } from "../../../core/change/observation.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { mayPush } from "../../../providers/gitlab/members.ts";
import { createMemory } from "./memory.ts";
import { removalIn } from "./merge-train.ts";
import { ApprovalsRecord, DiscussionRecord, ReviewerRecord, readable, VersionRecord } from "./records.ts";
import { type Reviews, toReviews } from "./reviews.ts";
import type { GitlabTools } from "./tools.ts";

const MEMBER_MS = 10 * 60_000;

export interface ReadReviews extends Reviews {
  /** What the project's rules require in addition. */
  readonly approvals: ApprovalsRecord;
  /** The last time it left the merge train without being merged. */
  readonly removal: ReportedQueue<string>["removal"];
}

/** Reads the discussion of a merge request, and marks people who may not push to the project. */
export function createReviewReader(tools: GitlabTools): (number: number) => Promise<ReadReviews> {
  const { client, host } = tools;
  const memberMemory = createMemory<boolean>({ clock: host.clock, keepMs: MEMBER_MS });
  return async (number) => {
    const path = `/projects/:id/merge_requests/${number}`;
    const approvals = await client.read({ path: `${path}/approvals`, answer: ApprovalsRecord });
    const { approved_by: given } = approvals;
    // An older GitLab has none.
    const found = await client.pages({ path: `${path}/reviewers` }).catch(ignoreMissing);
    const reviewers = readable(ReviewerRecord, found ?? []);
    const versions = readable(VersionRecord, await client.pages({ path: `${path}/versions` }));
    // Read last, so that it contains the notes about a verdict that was read.
    const discussions = readable(DiscussionRecord, await client.pages({ path: `${path}/discussions` }));
    const notes = discussions.flatMap((discussion) => discussion.notes);
    const people = [...given, ...reviewers].map(({ user }) => user.id).concat(notes.map(({ author }) => author.id));
    const members = new Set<number>();
    for (const id of new Set(people)) {
      if (await memberMemory(`${id}`, "", () => mayPush(tools, id))) members.add(id);
    }
    const isMember = (id: number): boolean => members.has(id);
    return {
      ...toReviews({ discussions, approvals: given, reviewers, versions, isMember, now: host.clock.now() }),
      approvals,
      removal: removalIn(notes),
    };
  };
}
