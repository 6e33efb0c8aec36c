import { z } from "zod";
import type { FoundChange } from "../../../core/change/found-change.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { accessBy } from "../../../providers/github/access.ts";
import type { GithubTools } from "./tools.ts";

const Side = z.object({
  ref: z.string(),
  repo: z.object({ id: z.number(), full_name: z.string().nullish() }).nullish(),
});

const Found = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  state: z.string(),
  merged_at: z.string().nullish(),
  maintainer_can_modify: z.boolean().nullish(),
  author_association: z.string().nullish(),
  head: Side,
  base: Side,
});

/** A pull request by its number, whoever opened it; null: not found. */
export async function findPull(tools: GithubTools, number: number): Promise<FoundChange | null> {
  const parameters = { ...tools.repository, pull_number: number };
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
  const pull = await tools.client.rest({ route, parameters, answer: Found }).catch(ignoreMissing);
  if (pull === undefined) return null;
  const { head, base } = pull;
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? "",
    author: pull.user?.login ?? "ghost",
    branch: head.ref,
    base: base.ref,
    state: pull.state === "open" ? "open" : pull.merged_at == null ? "closed" : "merged",
    // A deleted fork no longer has a repository.
    ...(head.repo?.id === base.repo?.id ? { isFork: false } : { isFork: true, ...describeFork(pull) }),
  };
}

function describeFork({ number, head, maintainer_can_modify: mayEdit, author_association }: z.infer<typeof Found>) {
  const forkName = head.repo?.full_name ?? null;
  const authorAccess = accessBy(author_association);
  return { forkName, maintainersMayEdit: mayEdit === true, ref: `refs/pull/${number}/head`, authorAccess };
}
