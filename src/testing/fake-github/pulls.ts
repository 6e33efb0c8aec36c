import { git, isAncestor, readBranch } from "../fake-forge/git.ts";
import type { Account, Pull, Repository } from "./model.ts";
import { presentPull } from "./present/pull.ts";
import { newIssue, setState, type World } from "./world.ts";

export interface NewPull {
  readonly author: Account;
  readonly title: string;
  readonly body?: string | null;
  readonly head: string;
  readonly headRepository?: Repository;
  readonly base: string;
  readonly draft?: boolean;
  readonly maintainersMayEdit?: boolean;
}

/** Opens a pull request for an existing branch; the caller has checked that it may be opened. */
export function openPull(world: World, repository: Repository, fields: NewPull): Pull {
  const headRepository = fields.headRepository ?? repository;
  const pull: Pull = {
    ...newIssue(world, repository, fields),
    headRepository,
    headBranch: fields.head,
    baseBranch: fields.base,
    head: readBranch(headRepository.gitDir, fields.head) ?? "",
    isDraft: fields.draft ?? false,
    maintainersMayEdit: fields.maintainersMayEdit ?? false,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    removals: [],
    autoMerge: null,
    reviewers: [],
    reviews: [],
    threads: [],
  };
  repository.issues.set(pull.number, pull);
  repository.pulls.set(pull.number, pull);
  return pull;
}

/** Sends webhooks about a pull request event. */
export async function emitPull(
  world: World,
  repository: Repository,
  happened: { readonly action: string; readonly pull: Pull; readonly sender: Account },
): Promise<void> {
  if (repository.hooks.length === 0) return;
  const { action, pull, sender } = happened;
  const shown = await presentPull(world, repository, pull);
  world.webhooks.emit(repository, "pull_request", {
    action,
    number: pull.number,
    pull_request: shown,
    repository: shown.base.repo,
    sender: { login: sender.login, id: sender.id, type: sender.type },
  });
}

/** Applies the effects of a push: moved heads, deleted branches, commits that are now in the base. */
export async function followBranches(world: World, repository: Repository): Promise<void> {
  for (const pull of repository.pulls.values()) {
    if (pull.state === "open") await followBranch(world, repository, pull);
  }
}

async function followBranch(world: World, repository: Repository, pull: Pull): Promise<void> {
  const head = readBranch(pull.headRepository.gitDir, pull.headBranch);
  const sender = pull.author;
  if (head === null) {
    setState(world, pull, { state: "closed" });
    await emitPull(world, repository, { action: "closed", pull, sender });
    return;
  }
  if (head === pull.head) return;
  // Before anything is awaited: concurrent requests must not see the move twice.
  pull.head = head;
  await takeObjects(repository, pull, head);
  pull.updatedAt = world.now();
  pull.autoMerge = null;
  if (repository.protections.get(pull.baseBranch)?.dismissStale === true) {
    for (const review of pull.reviews) if (review.state === "APPROVED") review.state = "DISMISSED";
  }
  const base = readBranch(repository.gitDir, pull.baseBranch);
  if (base !== null && (await isAncestor(repository.gitDir, head, base))) {
    setState(world, pull, { state: "closed" });
    pull.mergedAt = world.now();
    pull.mergedBy = sender;
    pull.mergeCommit = base;
    await emitPull(world, repository, { action: "closed", pull, sender });
    return;
  }
  await emitPull(world, repository, { action: "synchronize", pull, sender });
}

/**
 * May someone push to a repository? To another person's fork only while its author allows maintainers to edit a pull
 * request.
 */
export function mayPush(world: World, repository: Repository, account: Account): boolean {
  if (repository.parent === null || repository.owner === account) return true;
  const pulls = world.repositories.flatMap((one) => [...one.pulls.values()]);
  const isEditable = ({ state, headRepository, maintainersMayEdit }: Pull): boolean =>
    state === "open" && headRepository === repository && maintainersMayEdit;
  return pulls.some(isEditable);
}

/** Commits of a fork become readable in the repository itself, as on GitHub. */
export async function takeObjects(repository: Repository, pull: Pull, head: string): Promise<void> {
  if (pull.headRepository === repository) return;
  const to = `+${head}:refs/pull/${pull.number}/head`;
  await git(repository.gitDir, ["fetch", "-q", "--no-tags", pull.headRepository.gitDir, to]);
}
