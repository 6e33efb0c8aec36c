import type { Account, MergeMethod, Pull, Repository, Thread } from "../model.ts";
import { repositoryPage } from "../present/repository.ts";
import { emitPull } from "../pulls.ts";
import { dequeue, enqueue } from "../queue.ts";
import { revertPull } from "../revert.ts";
import { addThreadComment } from "../reviews.ts";
import type { World } from "../world.ts";
import { unresolved } from "./connection.ts";
import { pullNode } from "./pull.ts";
import { threadNode } from "./thread.ts";

interface Input<T> {
  readonly input: T;
}
interface RevertInput {
  readonly pullRequestId: string;
  readonly title?: string | null;
  readonly body?: string | null;
}
type OnThread = Input<{ readonly threadId: string }>;
type OnPull = Input<{ readonly pullRequestId: string }>;

/** Mutations without a REST call, or that clients prefer. */
export function createMutations(world: World, account: Account): object {
  const resolve = (threadId: string, by: Account | null): unknown => {
    const { page, thread } = findThread(world, threadId);
    thread.resolvedBy = by;
    return { thread: threadNode(world, page, thread) };
  };
  const setDraft = async (id: string, isDraft: boolean): Promise<unknown> => {
    const { repository, pull } = findPull(world, id);
    pull.isDraft = isDraft;
    const action = isDraft ? "converted_to_draft" : "ready_for_review";
    await emitPull(world, repository, { action, pull, sender: account });
    return { pullRequest: pullNode(world, repository, pull) };
  };
  const setAutoMerge = (id: string, autoMerge: Pull["autoMerge"]): unknown => {
    const { repository, pull } = findPull(world, id);
    if (autoMerge !== null && !repository.allowed.autoMerge) {
      throw new Error("Auto merge is not allowed for this repository");
    }
    pull.autoMerge = autoMerge;
    return { pullRequest: pullNode(world, repository, pull) };
  };
  return {
    resolveReviewThread: ({ input }: OnThread) => resolve(input.threadId, account),
    unresolveReviewThread: ({ input }: OnThread) => resolve(input.threadId, null),
    addPullRequestReviewThreadReply: ({ input }: Input<{ pullRequestReviewThreadId: string; body: string }>) => {
      const { thread } = findThread(world, input.pullRequestReviewThreadId);
      const { id } = addThreadComment(world, thread, { author: account, body: input.body });
      return {
        comment: { __typename: "PullRequestReviewComment", id: `PRRC_${id}`, databaseId: id, body: input.body },
      };
    },
    markPullRequestReadyForReview: ({ input }: OnPull) => setDraft(input.pullRequestId, false),
    convertPullRequestToDraft: ({ input }: OnPull) => setDraft(input.pullRequestId, true),
    enablePullRequestAutoMerge: ({ input }: Input<{ pullRequestId: string; mergeMethod?: string }>) =>
      setAutoMerge(input.pullRequestId, {
        by: account,
        method: (input.mergeMethod ?? "MERGE").toLowerCase() as MergeMethod,
      }),
    revertPullRequest: async ({ input }: Input<RevertInput>) => {
      const { repository, pull } = findPull(world, input.pullRequestId);
      const made = await revertPull(world, repository, { ...input, pull, by: account });
      return {
        pullRequest: pullNode(world, repository, pull),
        revertPullRequest: pullNode(world, repository, made),
      };
    },
    enqueuePullRequest: async ({ input }: Input<{ pullRequestId: string; expectedHeadOid?: string | null }>) => {
      const { repository, pull } = findPull(world, input.pullRequestId);
      await enqueue(world, repository, { pull, by: account, head: input.expectedHeadOid });
      return { mergeQueueEntry: pullNode(world, repository, pull).mergeQueueEntry };
    },
    dequeuePullRequest: async ({ input }: Input<{ id: string }>) => {
      const { repository, pull } = findPull(world, input.id);
      await dequeue(world, repository, { pull, by: account, reason: "MANUAL" });
      return { mergeQueueEntry: null };
    },
    disablePullRequestAutoMerge: ({ input }: OnPull) => setAutoMerge(input.pullRequestId, null),
  };
}

function findPull(world: World, id: string): { readonly repository: Repository; readonly pull: Pull } {
  for (const repository of world.repositories) {
    for (const pull of repository.pulls.values()) {
      if (`PR_${repository.id}_${pull.number}` === id) return { repository, pull };
    }
  }
  throw unresolved(`a node with the global id of '${id}'`);
}

function findThread(world: World, id: string): { readonly page: string; readonly thread: Thread } {
  for (const repository of world.repositories) {
    for (const pull of repository.pulls.values()) {
      const thread = pull.threads.find((one) => `PRRT_${one.id}` === id);
      if (thread !== undefined) return { page: `${repositoryPage(world, repository)}/pull/${pull.number}`, thread };
    }
  }
  throw unresolved(`a node with the global id of '${id}'`);
}
