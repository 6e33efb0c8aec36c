import { changedFiles, commitsOf, git, readBranch } from "../../fake-forge/git.ts";
import { latestChecks, latestStatuses, mergeState, protectionBlockers, rollup, standingReviews } from "../gate.ts";
import { linkedIssues } from "../linked-issues.ts";
import { isMergeable } from "../mergeable.ts";
import type { Pull, Repository, Review } from "../model.ts";
import { associationOf, at, atOrNull } from "../present/account.ts";
import { repositoryPage } from "../present/repository.ts";
import { hasQueue, queueOf } from "../queue.ts";
import { fullName, type World } from "../world.ts";
import { checkNode, statusNode } from "./check.ts";
import { connection, type PageArguments } from "./connection.ts";
import { actorNode, commonNode, issueNode } from "./issue.ts";
import { threadNode } from "./thread.ts";

const MERGEABLE = { true: "MERGEABLE", false: "CONFLICTING", null: "UNKNOWN" };

export function pullNode(world: World, repository: Repository, pull: Pull) {
  return {
    ...commonNode(world, repository, pull),
    __typename: "PullRequest",
    id: `PR_${repository.id}_${pull.number}`,
    state: pull.mergedAt !== null ? "MERGED" : pull.state.toUpperCase(),
    isDraft: pull.isDraft,
    headRefName: pull.headBranch,
    headRefOid: pull.head,
    headRepository: repositoryStub(world, pull.headRepository),
    headRepositoryOwner: actorNode(world, pull.headRepository.owner),
    isCrossRepository: pull.headRepository !== repository,
    baseRefName: pull.baseBranch,
    ...mergeFields(world, repository, pull),
    ...contentFields(world, repository, pull),
    ...reviewFields(world, repository, pull),
    statusCheckRollup: () => rollupNode(world, repository, pull.head),
  };
}

function mergeFields(world: World, repository: Repository, pull: Pull) {
  const { autoMerge } = pull;
  return {
    merged: pull.mergedAt !== null,
    mergedAt: atOrNull(pull.mergedAt),
    mergedBy: pull.mergedBy === null ? null : actorNode(world, pull.mergedBy),
    mergeCommit: pull.mergeCommit === null ? null : commitNode(world, repository, pull.mergeCommit),
    mergeable: async () => MERGEABLE[`${await isMergeable(repository, pull)}`],
    mergeStateStatus: async () => (await mergeState(repository, pull)).toUpperCase(),
    ...queueFields(world, repository, pull),
    autoMergeRequest:
      autoMerge === null
        ? null
        : { enabledBy: actorNode(world, autoMerge.by), mergeMethod: autoMerge.method.toUpperCase() },
    maintainerCanModify: false,
  };
}

function queueFields(world: World, repository: Repository, pull: Pull) {
  const index = queueOf(repository, pull.baseBranch).indexOf(pull);
  const entry = { __typename: "MergeQueueEntry", id: `MQE_${pull.id}`, position: index + 1, state: "QUEUED" };
  const removals = pull.removals.map(({ id, reason, tried }) => {
    const beforeCommit = tried === null ? null : commitNode(world, repository, tried);
    return { __typename: "RemovedFromMergeQueueEvent", id: `RFMQE_${id}`, reason, beforeCommit };
  });
  return {
    isInMergeQueue: index >= 0,
    isMergeQueueEnabled: hasQueue(repository, pull.baseBranch),
    mergeQueueEntry: index < 0 ? null : entry,
    timelineItems: (args: PageArguments) => connection(removals, args),
  };
}

function contentFields(world: World, repository: Repository, pull: Pull) {
  const { gitDir } = repository;
  const base = (): string => readBranch(gitDir, pull.baseBranch) ?? "";
  const count = async (field: "additions" | "deletions"): Promise<number> => {
    const files = await changedFiles(gitDir, base(), pull.head);
    return files.reduce((total, file) => total + file[field], 0);
  };
  return {
    baseRefOid: base,
    additions: () => count("additions"),
    deletions: () => count("deletions"),
    changedFiles: async () => (await changedFiles(gitDir, base(), pull.head)).length,
    commits: async (args: PageArguments) => {
      // After a merge all of them are in the base; clients ask for the last one, which needs no process.
      const isLast = args.last === 1 && args.before == null;
      const shas = pull.head === "" || isLast ? [] : await commitsOf(gitDir, base(), pull.head);
      const nodes = (shas.length === 0 ? [pull.head] : shas).map((sha) => ({
        __typename: "PullRequestCommit",
        id: `PC_${sha}`,
        commit: commitNode(world, repository, sha),
      }));
      return connection(nodes, args);
    },
    closingIssuesReferences: (args: PageArguments) =>
      connection(
        linkedIssues(repository, pull).map((issue) => issueNode(world, repository, issue)),
        args,
      ),
  };
}

function reviewFields(world: World, repository: Repository, pull: Pull) {
  const page = `${repositoryPage(world, repository)}/pull/${pull.number}`;
  return {
    reviewDecision: reviewDecision(repository, pull),
    reviews: (args: PageArguments) => connection(reviewNodes(world, page, pull.reviews), args),
    latestReviews: (args: PageArguments) => connection(reviewNodes(world, page, latestOfEach(pull.reviews)), args),
    latestOpinionatedReviews: (args: PageArguments) =>
      connection(reviewNodes(world, page, standingReviews(pull)), args),
    reviewRequests: (args: PageArguments) =>
      connection(
        pull.reviewers.map((one) => ({ id: `RR_${one.id}`, requestedReviewer: actorNode(world, one) })),
        args,
      ),
    reviewThreads: (args: PageArguments) =>
      connection(
        pull.threads.map((thread) => threadNode(world, page, thread)),
        args,
      ),
  };
}

function latestOfEach(reviews: readonly Review[]): readonly Review[] {
  return [...new Map(reviews.map((review) => [review.author.login, review])).values()];
}

function repositoryStub(world: World, repository: Repository) {
  return {
    __typename: "Repository",
    id: `R_${repository.id}`,
    name: repository.name,
    nameWithOwner: fullName(repository),
    url: repositoryPage(world, repository),
    owner: actorNode(world, repository.owner),
  };
}

function reviewNodes(world: World, page: string, reviews: readonly Review[]) {
  return reviews.map((review) => ({
    __typename: "PullRequestReview",
    id: `PRR_${review.id}`,
    databaseId: review.id,
    fullDatabaseId: String(review.id),
    author: actorNode(world, review.author),
    authorAssociation: associationOf(review.author),
    authorCanPushToRepository: review.author.isOutsider !== true,
    state: review.state,
    body: review.body,
    url: `${page}#pullrequestreview-${review.id}`,
    createdAt: at(review.submittedAt),
    submittedAt: at(review.submittedAt),
    updatedAt: at(review.submittedAt),
    commit: { __typename: "Commit", oid: review.commit },
  }));
}

function reviewDecision(repository: Repository, pull: Pull): string | null {
  const protection = repository.protections.get(pull.baseBranch);
  if (protection === undefined || protection.approvals === null) return null;
  const reviews = standingReviews(pull);
  if (reviews.some(({ state }) => state === "CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  const isShort = protectionBlockers(repository, pull).some((text) => text.includes("approving review"));
  return isShort ? "REVIEW_REQUIRED" : "APPROVED";
}

export function commitNode(world: World, repository: Repository, oid: string) {
  const line = (format: string): Promise<string> => git(repository.gitDir, ["log", "-1", `--format=${format}`, oid]);
  return {
    __typename: "Commit",
    id: `C_${oid}`,
    oid,
    abbreviatedOid: oid.slice(0, 7),
    url: `${repositoryPage(world, repository)}/commit/${oid}`,
    messageHeadline: () => line("%s"),
    message: () => line("%B"),
    committedDate: () => line("%cI"),
    statusCheckRollup: () => rollupNode(world, repository, oid),
  };
}

function rollupNode(world: World, repository: Repository, commit: string): unknown {
  const state = rollup(repository, commit);
  if (state === null) return null;
  const required = new Set([...repository.protections.values()].flatMap(({ checks }) => checks));
  const contexts = [
    ...latestChecks(repository, commit).map((check) => checkNode(world, repository, { check, required })),
    ...latestStatuses(repository, commit).map((status) => statusNode(world, status, required)),
  ];
  return {
    __typename: "StatusCheckRollup",
    id: `SCR_${commit}`,
    state,
    contexts: (args: PageArguments) => connection(contexts, args),
  };
}
