import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { MergeAnswer, MergeRequest } from "../../../ports/scm.ts";
import { OPTIONAL_FIELD, REMOVALS, Removals } from "./query.ts";
import type { GithubTools } from "./tools.ts";

const NAME = "GitHub's merge queue";

const Entry = z.object({ position: z.number() }).nullish();

const Answer = z.object({
  repository: z.object({
    pullRequest: z.object({
      id: z.string(),
      isMergeQueueEnabled: z.boolean(),
      mergeQueueEntry: Entry,
      timelineItems: Removals,
    }),
  }),
});

const QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    id isMergeQueueEnabled mergeQueueEntry { position } ${REMOVALS} } }
}`;

const Enqueued = z.object({ enqueuePullRequest: z.object({ mergeQueueEntry: Entry }) });

const ENQUEUE = `mutation ($id: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { mergeQueueEntry { position } }
}`;

/** A pull request's state in the queue of its base; `position` is null while it is not in it. */
interface QueueFacts {
  readonly id: string;
  readonly position: number | null;
  readonly removal: string | null;
}

/** null: its base has no merge queue. */
export async function readQueue(tools: GithubTools, number: number): Promise<QueueFacts | null> {
  const { owner, repo: name } = tools.repository;
  const variables = { owner, name, number };
  const call = { query: QUERY, variables, answer: Answer, optional: OPTIONAL_FIELD };
  const answer = await tools.client.graphql(call).catch((error: unknown) => {
    // An older Enterprise server has no queues, and rejects the query.
    if (error instanceof PluginError && error.category === "bad-response") return null;
    throw error;
  });
  const pull = answer?.data.repository.pullRequest;
  if (pull?.isMergeQueueEnabled !== true) return null;
  const { id, mergeQueueEntry, timelineItems } = pull;
  return { id, position: mergeQueueEntry?.position ?? null, removal: timelineItems.at(-1)?.id ?? null };
}

/** Adds exactly this commit to the queue; if it is already there it stays in place. */
export async function joinQueue(tools: GithubTools, { head }: MergeRequest, facts: QueueFacts): Promise<MergeAnswer> {
  const { id, position, removal } = facts;
  if (position !== null) return { kind: "queued", name: NAME, position, removal };
  try {
    const { data } = await tools.client.graphql({ query: ENQUEUE, variables: { id, head }, answer: Enqueued });
    const entry = data.enqueuePullRequest.mergeQueueEntry;
    return { kind: "queued", name: NAME, position: entry?.position ?? null, removal };
  } catch (error) {
    // GitHub describes what is missing, such as a check.
    if (!(error instanceof PluginError) || error.category !== "bad-response") throw error;
    return { kind: "waits", reason: error.message, files: [] };
  }
}

/** Removes it from the queue, if it is there. */
export async function leaveQueue(tools: GithubTools, number: number): Promise<void> {
  const facts = await readQueue(tools, number);
  if (facts === null || facts.position === null) return;
  const query = "mutation ($id: ID!) { dequeuePullRequest(input: { id: $id }) { mergeQueueEntry { id } } }";
  await tools.client.graphql({ query, variables: { id: facts.id }, answer: z.unknown() });
}
