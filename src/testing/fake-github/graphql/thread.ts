import type { Thread } from "../model.ts";
import { associationOf, at } from "../present/account.ts";
import type { World } from "../world.ts";
import { connection, type PageArguments } from "./connection.ts";
import { actorNode } from "./issue.ts";

/** A review thread; `page` is the URL of its pull request. */
export function threadNode(world: World, page: string, thread: Thread) {
  const comments = thread.comments.map((comment) => ({
    __typename: "PullRequestReviewComment",
    id: `PRRC_${comment.id}`,
    databaseId: comment.id,
    fullDatabaseId: String(comment.id),
    author: actorNode(world, comment.author),
    authorAssociation: associationOf(comment.author),
    body: comment.body,
    path: thread.path,
    line: thread.line,
    url: `${page}#discussion_r${comment.id}`,
    createdAt: at(comment.createdAt),
    updatedAt: at(comment.updatedAt),
    pullRequestReview:
      comment.reviewId === null ? null : { id: `PRR_${comment.reviewId}`, databaseId: comment.reviewId },
  }));
  return {
    __typename: "PullRequestReviewThread",
    id: `PRRT_${thread.id}`,
    isResolved: thread.resolvedBy !== null,
    isOutdated: false,
    isCollapsed: false,
    resolvedBy: thread.resolvedBy === null ? null : actorNode(world, thread.resolvedBy),
    path: thread.path,
    line: thread.line,
    originalLine: thread.line,
    subjectType: "LINE",
    diffSide: "RIGHT",
    comments: (args: PageArguments) => connection(comments, args),
  };
}
