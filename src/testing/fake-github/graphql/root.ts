import { readBranch } from "../../fake-forge/git.ts";
import type { Issue, Repository, Token } from "../model.ts";
import { at } from "../present/account.ts";
import { repositoryPage } from "../present/repository.ts";
import { findRepository, fullName, isPull, mayRead, type World } from "../world.ts";
import { connection, type PageArguments, unresolved } from "./connection.ts";
import { actorNode, issueNode } from "./issue.ts";
import { createMutations } from "./mutations.ts";
import { commitNode, pullNode } from "./pull.ts";
import { threadNode } from "./thread.ts";

interface Named {
  readonly owner: string;
  readonly name: string;
}

/** The root of queries and mutations; a missing field is answered with null or an error, as the schema requires. */
export function createRoot(world: World, token: Token): unknown {
  return {
    viewer: () => actorNode(world, token.account),
    rateLimit: () => ({
      cost: 1,
      limit: 5000,
      nodeCount: 0,
      remaining: 4999,
      used: 1,
      resetAt: at(world.now() + 3_600_000),
    }),
    repository: ({ owner, name }: Named) => {
      const repository = findRepository(world, owner, name);
      if (repository === null || !mayRead(token, repository)) {
        throw unresolved(`a Repository with the name '${owner}/${name}'`);
      }
      return repositoryNode(world, repository);
    },
    node: ({ id }: { readonly id: string }) => {
      const found = findThread(world, token, id);
      if (found === null) throw unresolved(`a node with the global id of '${id}'`);
      return found;
    },
    ...createMutations(world, token.account),
  };
}

// Only threads are read by their id.
function findThread(world: World, token: Token, id: string): unknown {
  for (const repository of world.repositories) {
    for (const pull of mayRead(token, repository) ? repository.pulls.values() : []) {
      const thread = pull.threads.find((one) => `PRRT_${one.id}` === id);
      const page = `${repositoryPage(world, repository)}/pull/${pull.number}`;
      if (thread !== undefined) return threadNode(world, page, thread);
    }
  }
  return null;
}

interface IssueFilter {
  readonly labels?: readonly string[] | null;
  readonly states?: readonly string[] | null;
}

function repositoryNode(world: World, repository: Repository) {
  const { allowed } = repository;
  const byNumber = (number: number, kind: "Issue" | "PullRequest"): Issue => {
    const issue = repository.issues.get(number);
    if (issue === undefined || isPull(issue) !== (kind === "PullRequest")) {
      throw unresolved(`${kind === "Issue" ? "an Issue" : "a PullRequest"} with the number of ${number}`);
    }
    return issue;
  };
  return {
    __typename: "Repository",
    id: `R_${repository.id}`,
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(repository),
    owner: actorNode(world, repository.owner),
    url: repositoryPage(world, repository),
    isFork: repository.parent !== null,
    isArchived: false,
    mergeCommitAllowed: allowed.merge,
    squashMergeAllowed: allowed.squash,
    rebaseMergeAllowed: allowed.rebase,
    autoMergeAllowed: allowed.autoMerge,
    deleteBranchOnMerge: allowed.deleteBranchOnMerge,
    defaultBranchRef: () => refNode(world, repository, repository.defaultBranch),
    ref: ({ qualifiedName }: { readonly qualifiedName: string }) =>
      refNode(world, repository, qualifiedName.replace(/^refs\/heads\//, "")),
    issue: ({ number }: { readonly number: number }) => issueNode(world, repository, byNumber(number, "Issue")),
    pullRequest: ({ number }: { readonly number: number }) => {
      byNumber(number, "PullRequest");
      const pull = repository.pulls.get(number);
      return pull === undefined ? null : pullNode(world, repository, pull);
    },
    issues: (filter: IssueFilter & PageArguments) =>
      connection(
        [...repository.issues.values()]
          .filter((issue) => !isPull(issue) && isWanted(issue, filter))
          .map((issue) => issueNode(world, repository, issue)),
        filter,
      ),
    pullRequests: (filter: IssueFilter & PageArguments & { readonly headRefName?: string | null }) =>
      connection(
        [...repository.pulls.values()]
          .filter((pull) => isWanted(pull, filter) && [undefined, null, pull.headBranch].includes(filter.headRefName))
          .map((pull) => pullNode(world, repository, pull)),
        filter,
      ),
  };
}

function isWanted(issue: Issue, { labels, states }: IssueFilter): boolean {
  const state = isPull(issue) && issue.mergedAt !== null ? "MERGED" : issue.state.toUpperCase();
  if (states != null && !states.includes(state)) return false;
  return labels == null || issue.labels.some(({ name }) => labels.includes(name));
}

function refNode(world: World, repository: Repository, branch: string): unknown {
  const oid = readBranch(repository.gitDir, branch);
  if (oid === null) return null;
  const target = commitNode(world, repository, oid);
  const protection = repository.protections.get(branch);
  return {
    __typename: "Ref",
    id: `REF_${repository.id}_${branch}`,
    name: branch,
    prefix: "refs/heads/",
    target,
    branchProtectionRule:
      protection === undefined
        ? null
        : {
            id: `BPR_${repository.id}_${branch}`,
            pattern: branch,
            requiresApprovingReviews: protection.approvals !== null,
            requiredApprovingReviewCount: protection.approvals,
            requiresStatusChecks: protection.checks.length > 0,
            requiredStatusCheckContexts: protection.checks,
            requiresConversationResolution: protection.requireConversationResolution,
            requiresLinearHistory: false,
            requiresCommitSignatures: false,
            dismissesStaleReviews: protection.dismissStale,
          },
  };
}
