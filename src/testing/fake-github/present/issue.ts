import type { Comment, Issue, Label, Repository } from "../model.ts";
import { isPull, type World } from "../world.ts";
import { associationOf, at, atOrNull, presentAccount } from "./account.ts";
import { repositoryPage, repositoryUrl } from "./repository.ts";

export function presentLabel(world: World, repository: Repository, label: Label) {
  return {
    id: label.id,
    node_id: `LA_${label.id}`,
    url: `${repositoryUrl(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

export function presentComment(world: World, repository: Repository, of: { issue: Issue; comment: Comment }) {
  const { issue, comment } = of;
  const url = repositoryUrl(world, repository);
  const kind = isPull(issue) ? "pull" : "issues";
  return {
    id: comment.id,
    node_id: `IC_${comment.id}`,
    url: `${url}/issues/comments/${comment.id}`,
    html_url: `${repositoryPage(world, repository)}/${kind}/${issue.number}#issuecomment-${comment.id}`,
    issue_url: `${url}/issues/${issue.number}`,
    body: comment.body,
    user: presentAccount(world, comment.author),
    created_at: at(comment.createdAt),
    updated_at: at(comment.updatedAt),
    author_association: "MEMBER",
    performed_via_github_app: null,
  };
}

/** The fields that an issue and a pull request share. */
export function presentCommon(world: World, repository: Repository, issue: Issue) {
  const [assignee] = issue.assignees;
  return {
    number: issue.number,
    state: issue.state,
    title: issue.title,
    body: issue.body,
    user: presentAccount(world, issue.author),
    labels: issue.labels.map((label) => presentLabel(world, repository, label)),
    assignee: assignee === undefined ? null : presentAccount(world, assignee),
    assignees: issue.assignees.map((one) => presentAccount(world, one)),
    milestone: null,
    locked: false,
    active_lock_reason: null,
    author_association: associationOf(issue.author),
    created_at: at(issue.createdAt),
    updated_at: at(issue.updatedAt),
    closed_at: atOrNull(issue.closedAt),
  };
}

/** An issue; a pull request in the list of issues is marked. */
export function presentIssue(world: World, repository: Repository, issue: Issue) {
  const url = `${repositoryUrl(world, repository)}/issues/${issue.number}`;
  const page = repositoryPage(world, repository);
  const open = issue.blockedBy.filter(({ state }) => state === "open").length;
  const pull = `${repositoryUrl(world, repository)}/pulls/${issue.number}`;
  const pullPage = `${page}/pull/${issue.number}`;
  const common = presentCommon(world, repository, issue);
  const shown = {
    ...common,
    id: issue.id,
    node_id: `I_${repository.id}_${issue.number}`,
    url,
    repository_url: repositoryUrl(world, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: isPull(issue) ? pullPage : `${page}/issues/${issue.number}`,
    state_reason: issue.stateReason,
    comments: issue.comments.length,
    performed_via_github_app: null,
    issue_dependencies_summary: {
      blocked_by: open,
      total_blocked_by: issue.blockedBy.length,
      blocking: 0,
      total_blocking: 0,
    },
    ...(isPull(issue)
      ? {
          draft: issue.isDraft,
          pull_request: {
            url: pull,
            html_url: pullPage,
            diff_url: `${pullPage}.diff`,
            patch_url: `${pullPage}.patch`,
            merged_at: atOrNull(issue.mergedAt),
          },
        }
      : {}),
  };
  return issue.malformed === undefined ? shown : { ...shown, ...(issue.malformed as object) };
}
