import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { RemoteWrite } from "../../../ports/scm.ts";
import { markOf } from "../../../providers/forge/comment-mark.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { refusedRerun } from "../../../providers/forge/refused-rerun.ts";
import { leaveQueue } from "./merge-queue.ts";
import { readNodeId } from "./node-id.ts";
import type { GithubTools } from "./tools.ts";

/** Writes to GitHub what was said or done locally; what it already has is not written again. */
export async function applyWrite(tools: GithubTools, number: number, write: RemoteWrite): Promise<void> {
  switch (write.kind) {
    case "reply":
      return reply(tools, number, write);
    case "comment": {
      const mark = markOf(write.commentId);
      return replyBelow({ ...tools, client: tools.reviewer }, number, { body: `${write.text}${mark}`, mark });
    }
    case "resolve":
      return resolve(tools, write);
    case "label":
      return label(tools, number, write);
    case "rerun":
      return rerun(tools, write.ref);
    case "request-review":
      return requestReview(tools, number, write.reviewer);
    case "ready":
      return markReady(tools, number);
    case "dequeue":
      return leaveQueue(tools, number);
    case "close": {
      const parameters = { ...tools.repository, pull_number: number, state: "closed" };
      await tools.client.rest({
        route: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
        parameters,
        answer: z.unknown(),
      });
    }
  }
}

const Job = z.object({ run_id: z.number(), conclusion: z.string().nullish() });

// Only jobs of GitHub Actions can run again; the ids of other checks are of another kind, or name no job. A workflow can
// run again only as a whole, so all of its failed jobs do at once.
async function rerun({ client, repository }: GithubTools, ref: string): Promise<void> {
  const id = Number(ref);
  if (Number.isNaN(id)) {
    const message = "GitHub cannot run a commit status again.";
    throw new PluginError({ plugin: "github", category: "conflict", message });
  }
  const actions = "/repos/{owner}/{repo}/actions";
  const parameters = { ...repository, job_id: id };
  const job = await client.rest({ route: `GET ${actions}/jobs/{job_id}`, parameters, answer: Job });
  const hasFailed = job.conclusion === "failure" || job.conclusion === "timed_out";
  const route = hasFailed ? `POST ${actions}/runs/{run_id}/rerun-failed-jobs` : `POST ${actions}/jobs/{job_id}/rerun`;
  const wanted = { ...parameters, run_id: job.run_id };
  await client.rest({ route, parameters: wanted, answer: z.unknown() }).catch((error: unknown) => {
    // Other jobs of its workflow still run: a later attempt succeeds.
    if (error instanceof PluginError && /already running/i.test(error.message)) {
      throw new PluginError({ plugin: "github", category: "unavailable", message: error.message });
    }
    throw refusedRerun(error);
  });
}

// Nobody is asked twice.
async function requestReview(tools: GithubTools, number: number, reviewer: string): Promise<void> {
  const parameters = { ...tools.repository, pull_number: number, reviewers: [reviewer] };
  await tools.client.rest({
    route: "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
    parameters,
    answer: z.unknown(),
  });
}

// There is no such call in REST, and GraphQL knows a pull request by its own id.
async function markReady(tools: GithubTools, number: number): Promise<void> {
  const id = await readNodeId(tools, number);
  const query =
    "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { id } } }";
  await tools.client.graphql({ query, variables: { id }, answer: z.unknown() });
}

type Reply = Extract<RemoteWrite, { readonly kind: "reply" }>;

const Thread = z.object({
  node: z.object({ comments: z.object({ nodes: z.array(z.object({ body: z.string() })) }).nullish() }).nullish(),
});

const THREAD = `query ($id: ID!) {
  node(id: $id) { ... on PullRequestReviewThread { comments(last: 100) { nodes { body } } } } }`;

// An existing reply, from before a crash, is recognized by its mark.
async function reply(tools: GithubTools, number: number, { threadId, commentId, author, text }: Reply): Promise<void> {
  const mark = markOf(commentId);
  const body = `${text}\n\n_${author}_${mark}`;
  if (threadId.startsWith("talk-")) return replyBelow(tools, number, { body, mark });
  const { data } = await tools.client.graphql({ query: THREAD, variables: { id: threadId }, answer: Thread });
  if (data.node?.comments?.nodes.some((comment) => comment.body.includes(mark.trim())) === true) return;
  await tools.client.graphql({
    query: `mutation ($id: ID!, $body: String!) {
      addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $id, body: $body }) { comment { id } } }`,
    variables: { id: threadId, body },
    answer: z.unknown(),
  });
}

async function replyBelow(
  tools: GithubTools,
  number: number,
  { body, mark }: { readonly body: string; readonly mark: string },
): Promise<void> {
  const route = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const parameters = { ...tools.repository, issue_number: number };
  const known = await tools.client.pages({ route: `GET ${route}`, parameters });
  const isThere = known.some((comment) => JSON.stringify(comment).includes(mark.trim()));
  if (!isThere)
    await tools.client.rest({ route: `POST ${route}`, parameters: { ...parameters, body }, answer: z.unknown() });
}

async function resolve(
  tools: GithubTools,
  { threadId, resolved }: Extract<RemoteWrite, { readonly kind: "resolve" }>,
): Promise<void> {
  // Plain comments on a pull request cannot be resolved on GitHub.
  if (threadId.startsWith("talk-")) return;
  const name = resolved ? "resolveReviewThread" : "unresolveReviewThread";
  const query = `mutation ($id: ID!) { ${name}(input: { threadId: $id }) { thread { id } } }`;
  await tools.client.graphql({ query, variables: { id: threadId }, answer: z.unknown() });
}

async function label(
  tools: GithubTools,
  number: number,
  { add, remove }: Extract<RemoteWrite, { readonly kind: "label" }>,
): Promise<void> {
  const route = "/repos/{owner}/{repo}/issues/{issue_number}/labels";
  const parameters = { ...tools.repository, issue_number: number };
  if (add.length > 0) {
    await tools.client.rest({
      route: `POST ${route}`,
      parameters: { ...parameters, labels: add },
      answer: z.unknown(),
    });
  }
  for (const name of remove) {
    await tools.client
      .rest({ route: `DELETE ${route}/{name}`, parameters: { ...parameters, name }, answer: z.unknown() })
      .catch(ignoreMissing);
  }
}
