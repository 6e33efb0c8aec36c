import type { Pull, Repository, Review, Thread, ThreadComment } from "../model.ts";
import type { World } from "../world.ts";
import { at, presentAccount } from "./account.ts";
import { repositoryPage, repositoryUrl } from "./repository.ts";

export function presentReview(world: World, repository: Repository, of: { pull: Pull; review: Review }) {
  const { pull, review } = of;
  const url = `${repositoryUrl(world, repository)}/pulls/${pull.number}`;
  const page = `${repositoryPage(world, repository)}/pull/${pull.number}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: presentAccount(world, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: url,
    author_association: "MEMBER",
    _links: { html: { href: page }, pull_request: { href: url } },
    submitted_at: at(review.submittedAt),
    commit_id: review.commit,
  };
}

interface InThread {
  readonly pull: Pull;
  readonly thread: Thread;
  readonly comment: ThreadComment;
}

export function presentThreadComment(world: World, repository: Repository, { pull, thread, comment }: InThread) {
  const api = repositoryUrl(world, repository);
  const url = `${api}/pulls/comments/${comment.id}`;
  const pullUrl = `${api}/pulls/${pull.number}`;
  const page = `${repositoryPage(world, repository)}/pull/${pull.number}#discussion_r${comment.id}`;
  const [first] = thread.comments;
  return {
    id: comment.id,
    node_id: `PRRC_${comment.id}`,
    url,
    html_url: page,
    pull_request_url: pullUrl,
    pull_request_review_id: comment.reviewId,
    diff_hunk: "@@ -1 +1 @@",
    path: thread.path,
    line: thread.line,
    original_line: thread.line,
    side: "RIGHT",
    subject_type: "line",
    commit_id: thread.commit,
    original_commit_id: thread.commit,
    ...(first === undefined || first.id === comment.id ? {} : { in_reply_to_id: first.id }),
    user: presentAccount(world, comment.author),
    body: comment.body,
    created_at: at(comment.createdAt),
    updated_at: at(comment.updatedAt),
    author_association: "MEMBER",
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl } },
  };
}
