import { protectionBlockers } from "./gate.ts";
import { mergePull } from "./merge.ts";
import type { Account, Pull, Repository } from "./model.ts";
import { emitPull } from "./pulls.ts";
import type { World } from "./world.ts";

/** Does a ruleset send every merge into this branch through a queue? */
export function hasQueue(repository: Repository, branch: string): boolean {
  return repository.rulesets.get(branch)?.some(({ type }) => type === "merge_queue") === true;
}

/** Pull requests waiting to merge into a branch, in order. */
export function queueOf(repository: Repository, branch: string): Pull[] {
  const queue = repository.queues.get(branch) ?? [];
  repository.queues.set(branch, queue);
  return queue;
}

interface Order {
  readonly pull: Pull;
  readonly by: Account;
  /** Only this commit. */
  readonly head?: string | null | undefined;
}

/** Adds a pull request to the queue of its base, or returns GitHub's reason why not. */
export async function enqueue(world: World, repository: Repository, { pull, by, head }: Order): Promise<void> {
  if (!hasQueue(repository, pull.baseBranch)) throw new Error("The base branch does not require a merge queue");
  if (head != null && head !== pull.head) throw new Error("The head of the pull request has changed");
  const [blocker] = pull.isDraft ? ["Pull request is in draft state"] : protectionBlockers(repository, pull);
  if (blocker !== undefined) throw new Error(blocker);
  const queue = queueOf(repository, pull.baseBranch);
  if (queue.includes(pull)) throw new Error("Pull request is already in the queue");
  queue.push(pull);
  pull.updatedAt = world.now();
  await emitPull(world, repository, { action: "enqueued", pull, sender: by });
}

/** Removes a pull request from its queue, for one of GitHub's reasons. */
export async function dequeue(
  world: World,
  repository: Repository,
  { pull, by, reason, tried = null }: Order & { readonly reason: string; readonly tried?: string | null },
): Promise<void> {
  const queue = queueOf(repository, pull.baseBranch);
  if (!queue.includes(pull)) throw new Error("Pull request is not in the queue");
  queue.splice(queue.indexOf(pull), 1);
  pull.removals.push({ id: world.nextId(), reason, tried });
  pull.updatedAt = world.now();
  await emitPull(world, repository, { action: "dequeued", pull, sender: by });
}

/** Merges the first one in the queue. */
export async function mergeNext(world: World, repository: Repository, branch: string): Promise<void> {
  const pull = queueOf(repository, branch)[0];
  if (pull === undefined) throw new Error(`The queue of ${branch} is empty`);
  const by = world.account("github-merge-queue[bot]");
  await dequeue(world, repository, { pull, by, reason: "MERGE" });
  const answer = await mergePull(world, repository, { pull, method: "merge", by, isFromQueue: true });
  if ("status" in answer) throw new Error(answer.message);
}
