import type {
  ChangeObservation,
  ReportedComment,
  ReportedReview,
  ReportedThread,
} from "../../../core/change/observation.ts";
import type { Verdict } from "../../../core/change/state.ts";
import { readMark } from "../../../providers/forge/comment-mark.ts";
import { accessBy } from "../../../providers/github/access.ts";
import { nameOf, toChecks } from "./checks.ts";
import { MAX_READ } from "./complete-lists.ts";
import type { Comment, Context, Pull, Review, Thread } from "./query.ts";
import { toQueue } from "./queue.ts";

const VERDICTS: Readonly<Record<string, Verdict>> = { APPROVED: "approve", CHANGES_REQUESTED: "request-changes" };

interface PullContext {
  readonly baseHead: string;
  readonly baseChecks: readonly Context[];
  /** Its commit was pushed a moment ago. */
  readonly isYoung: boolean;
}

/** A GitHub pull request in ao's terms. */
export function toObservation(pull: Pull, { baseHead, baseChecks, isYoung }: PullContext): ChangeObservation<string> {
  const rollup = pull.commits.at(-1)?.commit.statusCheckRollup ?? null;
  const contexts = rollup?.contexts ?? [];
  return {
    number: pull.number,
    version: pull.updatedAt,
    state: pull.state === "OPEN" ? "open" : pull.state === "MERGED" ? "merged" : "closed",
    ...(pull.url == null ? {} : { url: pull.url }),
    by: pull.mergedBy?.login ?? null,
    mergeCommit: pull.mergeCommit?.oid ?? null,
    head: pull.headRefOid,
    base: pull.baseRefName,
    baseHead,
    // GitHub adds the checks of a commit some seconds after the push: until then, none is not an answer.
    checks: contexts.length === 0 && isYoung ? null : toChecks(contexts),
    baseChecks: toChecks(baseChecks),
    reviews: [...pull.reviews.map((review) => toReview(pull, review)), ...pull.comments.flatMap(toTalk(pull))],
    labels: pull.labels.map(({ name }) => name),
    required: [...new Set(contexts.filter(({ isRequired }) => isRequired === true).map(nameOf))],
    blocked: incomplete(pull.unread) ?? blockedBy(pull),
    isDraft: pull.isDraft === true,
    queue: toQueue(pull),
  };
}

// Anyone may comment on a public repository; an app only if someone with write access installed it.
function accessOf({ authorAssociation, author }: Comment | Review): "write" | "none" {
  return isBot(author) ? "write" : accessBy(authorAssociation);
}

function isBot(author: Comment["author"]): boolean {
  return author?.__typename === "Bot";
}

// What is not read could be a red check or a request for changes.
function incomplete(unread: readonly string[]): string | null {
  if (unread.length === 0) return null;
  return `GitHub has more than ${MAX_READ} ${unread.join(" and ")} for it, and ao reads no more; merge it on GitHub`;
}

function blockedBy({ mergeStateStatus, mergeQueueEntry, autoMergeRequest }: Pull): string | null {
  // A pull request in the queue has met them.
  if (mergeQueueEntry != null) return null;
  // Behind, dirty, unstable and unknown show up in checks and conflicts.
  if (mergeStateStatus !== "BLOCKED") return null;
  const rules = "the rules of the base branch on GitHub are not met";
  if (autoMergeRequest == null) return rules;
  return `${rules}; auto-merge by ${autoMergeRequest.enabledBy?.login ?? "somebody"} merges it once they are`;
}

function toReview(pull: Pull, review: Review): ReportedReview<string> {
  const id = String(review.databaseId);
  const own = pull.reviewThreads.filter(
    ({ comments: [first] }) => first?.pullRequestReview?.databaseId === review.databaseId,
  );
  return {
    id: `review-${id}`,
    author: review.author?.login ?? "ghost",
    access: accessOf(review),
    ...(isBot(review.author) ? { isBot: true } : {}),
    verdict: VERDICTS[review.state] ?? "comment",
    isDismissed: review.state === "DISMISSED" || review.state === "PENDING",
    body: review.body === "" ? null : review.body,
    head: review.commit?.oid ?? pull.headRefOid,
    threads: own.map(toThread),
  };
}

function toThread(thread: Thread): ReportedThread<string> {
  const { id, path, line, isResolved, resolvedBy, comments } = thread;
  return {
    id,
    path: path ?? null,
    line: line ?? null,
    resolvedBy: isResolved ? (resolvedBy?.login ?? "somebody") : null,
    comments: comments.map(toComment),
  };
}

// Our mark counts only from someone with write access: anyone can copy it.
function toComment(comment: Comment): ReportedComment<string> {
  const access = accessOf(comment);
  const { id, text } = readMark(comment.body);
  const isOwn = id !== null && access === "write";
  return {
    id: isOwn ? id : `comment-${comment.databaseId}`,
    author: comment.author?.login ?? "ghost",
    byAgent: isOwn,
    access,
    text,
  };
}

// Comments on a pull request are about the whole of it; ao's own are not counted.
function toTalk(pull: Pull): (comment: Comment) => readonly ReportedReview<string>[] {
  return (comment) => {
    const said = toComment(comment);
    if (said.byAgent) return [];
    const id = `talk-${comment.databaseId}`;
    const thread = { id, path: null, line: null, resolvedBy: null, isResolvable: false, comments: [said] } as const;
    const { author, access = "write" } = said;
    const bot = isBot(comment.author) ? { isBot: true as const } : {};
    const rest = { verdict: "comment", isDismissed: false, body: null, head: pull.headRefOid } as const;
    return [{ id, author, access, ...bot, ...rest, threads: [thread] }];
  };
}
