import type { Repository } from "../model.ts";
import { fullName, type World } from "../world.ts";
import { apiOf, at, presentAccount } from "./account.ts";

export function repositoryUrl(world: World, repository: Repository): string {
  return `${apiOf(world)}/repos/${fullName(repository)}`;
}

export function repositoryPage(world: World, repository: Repository): string {
  return `${world.url}/${fullName(repository)}`;
}

/** Parts of the API below a repository, by field name. */
const PARTS = {
  archive_url: "{archive_format}{/ref}",
  assignees_url: "assignees{/user}",
  blobs_url: "git/blobs{/sha}",
  branches_url: "branches{/branch}",
  collaborators_url: "collaborators{/collaborator}",
  comments_url: "comments{/number}",
  commits_url: "commits{/sha}",
  compare_url: "compare/{base}...{head}",
  contents_url: "contents/{+path}",
  contributors_url: "contributors",
  deployments_url: "deployments",
  downloads_url: "downloads",
  events_url: "events",
  forks_url: "forks",
  git_commits_url: "git/commits{/sha}",
  git_refs_url: "git/refs{/sha}",
  git_tags_url: "git/tags{/sha}",
  hooks_url: "hooks",
  issue_comment_url: "issues/comments{/number}",
  issue_events_url: "issues/events{/number}",
  issues_url: "issues{/number}",
  keys_url: "keys{/key_id}",
  labels_url: "labels{/name}",
  languages_url: "languages",
  merges_url: "merges",
  milestones_url: "milestones{/number}",
  notifications_url: "notifications{?since,all,participating}",
  pulls_url: "pulls{/number}",
  releases_url: "releases{/id}",
  stargazers_url: "stargazers",
  statuses_url: "statuses/{sha}",
  subscribers_url: "subscribers",
  subscription_url: "subscription",
  tags_url: "tags",
  teams_url: "teams",
  trees_url: "git/trees{/sha}",
} as const;

/** A repository as embedded in other answers. */
export function presentRepository(world: World, repository: Repository) {
  const url = repositoryUrl(world, repository);
  const page = repositoryPage(world, repository);
  const parts = Object.fromEntries(Object.entries(PARTS).map(([field, path]) => [field, `${url}/${path}`]));
  const open = [...repository.issues.values()].filter(({ state }) => state === "open").length;
  return {
    ...(parts as Readonly<Record<keyof typeof PARTS, string>>),
    id: repository.id,
    node_id: `R_${repository.id}`,
    name: repository.name,
    full_name: fullName(repository),
    owner: presentAccount(world, repository.owner),
    private: true,
    html_url: page,
    description: null,
    fork: repository.parent !== null,
    url,
    clone_url: `${page}.git`,
    git_url: `git://${page.replace(/^https?:\/\//, "")}.git`,
    ssh_url: `git@localhost:${fullName(repository)}.git`,
    svn_url: page,
    default_branch: repository.defaultBranch,
    forks: 0,
    forks_count: 0,
    has_downloads: false,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    homepage: null,
    language: null,
    archived: false,
    disabled: false,
    mirror_url: null,
    open_issues: open,
    open_issues_count: open,
    license: null,
    size: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    visibility: "private",
    pushed_at: at(repository.createdAt),
    created_at: at(repository.createdAt),
    updated_at: at(repository.createdAt),
  };
}

/** A repository fetched by name: with its merge settings. */
export function presentFullRepository(world: World, repository: Repository) {
  const { allowed } = repository;
  return {
    ...presentRepository(world, repository),
    network_count: 0,
    subscribers_count: 0,
    allow_merge_commit: allowed.merge,
    allow_squash_merge: allowed.squash,
    allow_rebase_merge: allowed.rebase,
    allow_auto_merge: allowed.autoMerge,
    delete_branch_on_merge: allowed.deleteBranchOnMerge,
    permissions: { admin: true, maintain: true, push: true, triage: true, pull: true },
  };
}
