import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { RevertAnswer, RevertRequest } from "../../../ports/scm.ts";
import { markOf } from "../../../providers/forge/comment-mark.ts";
import { readNodeId } from "./node-id.ts";
import type { GithubTools } from "./tools.ts";

const Side = z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullish() });

const Listed = z.object({
  number: z.number(),
  html_url: z.string(),
  body: z.string().nullish(),
  head: Side,
  base: Side,
});

const Reverted = z.object({
  revertPullRequest: z.object({
    revertPullRequest: z.object({
      number: z.number(),
      url: z.string(),
      headRefName: z.string(),
      headRefOid: z.string(),
    }),
  }),
});

const REVERT = `mutation ($id: ID!, $title: String!, $body: String!) {
  revertPullRequest(input: { pullRequestId: $id, title: $title, body: $body }) {
    revertPullRequest { number url headRefName headRefOid } }
}`;

/** GitHub reverts it on a separate branch; a mark identifies the pull request for it. */
export async function revertPull(tools: GithubTools, request: RevertRequest): Promise<RevertAnswer> {
  const mark = markOf(`revert-${request.number}`);
  const known = await findReverting(tools, mark.trim());
  if (known !== null) return known;
  const id = await readNodeId(tools, request.number);
  const body = `${request.body}\n\nReverts #${request.number}.${mark}`.trim();
  try {
    const variables = { id, title: request.title, body };
    const { data } = await tools.client.graphql({ query: REVERT, variables, answer: Reverted });
    const { number, url, headRefName: branch, headRefOid: head } = data.revertPullRequest.revertPullRequest;
    return { kind: "opened", number, url, branch, head };
  } catch (error) {
    if (!(error instanceof PluginError) || error.category !== "bad-response") throw error;
    return { kind: "refused", reason: error.message };
  }
}

// Anyone can put the mark into a fork's pull request; a branch of the repository itself needs write access.
async function findReverting(tools: GithubTools, mark: string): Promise<RevertAnswer | null> {
  const parameters = { ...tools.repository, state: "all", sort: "created", direction: "desc", per_page: 100 };
  const route = "GET /repos/{owner}/{repo}/pulls";
  const listed = await tools.client.rest({ route, parameters, answer: z.array(z.unknown()) });
  const found = listed
    .flatMap((one) => Listed.safeParse(one).data ?? [])
    .find(({ body, head, base }) => body?.endsWith(mark) === true && head.repo?.id === base.repo?.id);
  if (found === undefined) return null;
  const { number, html_url: url, head } = found;
  return { kind: "opened", number, url, branch: head.ref, head: head.sha };
}
