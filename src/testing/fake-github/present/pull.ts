import { changedFiles, commitsOf, readBranch } from "../../fake-forge/git.ts";
import { mergeState } from "../gate.ts";
import { isMergeable } from "../mergeable.ts";
import type { Pull, Repository } from "../model.ts";
import type { World } from "../world.ts";
import { atOrNull, presentAccount } from "./account.ts";
import { presentCommon } from "./issue.ts";
import { presentRepository, repositoryPage, repositoryUrl } from "./repository.ts";

/** A pull request as in lists. */
export function presentSimplePull(world: World, repository: Repository, pull: Pull) {
  const api = repositoryUrl(world, repository);
  const url = `${api}/pulls/${pull.number}`;
  const page = `${repositoryPage(world, repository)}/pull/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const statuses = `${api}/statuses/${pull.head}`;
  return {
    ...presentCommon(world, repository, pull),
    id: pull.id,
    node_id: `PR_${repository.id}_${pull.number}`,
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    draft: pull.isDraft,
    merged_at: atOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeCommit,
    requested_reviewers: pull.reviewers.map((one) => presentAccount(world, one)),
    requested_teams: [],
    head: presentSide(world, pull.headRepository, { branch: pull.headBranch, commit: pull.head }),
    base: presentSide(world, repository, {
      branch: pull.baseBranch,
      commit: readBranch(repository.gitDir, pull.baseBranch) ?? "",
    }),
    auto_merge:
      pull.autoMerge === null
        ? null
        : {
            enabled_by: presentAccount(world, pull.autoMerge.by),
            merge_method: pull.autoMerge.method,
            commit_title: "",
            commit_message: "",
          },
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${api}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
  };
}

function presentSide(world: World, repository: Repository, at: { branch: string; commit: string }) {
  return {
    label: `${repository.owner.login}:${at.branch}`,
    ref: at.branch,
    sha: at.commit,
    user: presentAccount(world, repository.owner),
    repo: presentRepository(world, repository),
  };
}

/** A pull request fetched by number: git counts its commits and tries its merge. */
export async function presentPull(world: World, repository: Repository, pull: Pull) {
  const base = readBranch(repository.gitDir, pull.baseBranch);
  const [commits, files, mergeable, state] = await Promise.all([
    base === null ? [] : commitsOf(repository.gitDir, base, pull.head),
    base === null ? [] : changedFiles(repository.gitDir, base, pull.head),
    isMergeable(repository, pull),
    mergeState(repository, pull),
  ]);
  const sum = (field: "additions" | "deletions"): number => files.reduce((total, file) => total + file[field], 0);
  return {
    ...presentSimplePull(world, repository, pull),
    merged: pull.mergedAt !== null,
    mergeable,
    mergeable_state: state,
    rebaseable: mergeable,
    merged_by: pull.mergedBy === null ? null : presentAccount(world, pull.mergedBy),
    comments: pull.comments.length,
    review_comments: pull.threads.reduce((total, thread) => total + thread.comments.length, 0),
    maintainer_can_modify: pull.maintainersMayEdit,
    commits: commits.length,
    additions: sum("additions"),
    deletions: sum("deletions"),
    changed_files: files.length,
  };
}
