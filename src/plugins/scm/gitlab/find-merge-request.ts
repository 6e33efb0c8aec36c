import { z } from "zod";
import type { FoundChange } from "../../../core/change/found-change.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { mayPush } from "../../../providers/gitlab/members.ts";
import { stateOf } from "./merge-status.ts";
import { Sides } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Found = Sides.extend({
  iid: z.number(),
  web_url: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  author: z.object({ id: z.number(), username: z.string() }).nullish(),
  state: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  /** Only for one from a fork; false if the branch is protected there. */
  allow_collaboration: z.boolean().nullish(),
});

const Fork = z.object({ path_with_namespace: z.string() });

/** A merge request by its number, whoever opened it; null: not found. */
export async function findMergeRequest(tools: GitlabTools, number: number): Promise<FoundChange | null> {
  const path = `/projects/:id/merge_requests/${number}`;
  const found = await tools.client.read({ path, answer: Found }).catch(ignoreMissing);
  if (found === undefined) return null;
  return {
    number: found.iid,
    url: found.web_url,
    title: found.title,
    body: found.description ?? "",
    author: found.author?.username ?? "ghost",
    branch: found.source_branch,
    base: found.target_branch,
    state: stateOf(found),
    ...(isFromFork(found) ? { isFork: true, ...(await describeFork(tools, found)) } : { isFork: false }),
  };
}

/** Is its branch in another project? A deleted fork no longer has an id. */
export function isFromFork({ source_project_id: source, target_project_id: target }: Sides): boolean {
  return source !== target;
}

async function describeFork(tools: GitlabTools, found: z.infer<typeof Found>) {
  const { iid, source_project_id: source, author, allow_collaboration: mayEdit } = found;
  // GitLab hides a private fork as if it were deleted.
  const read = (id: number) => tools.client.read({ path: `/projects/${id}`, answer: Fork }).catch(ignoreMissing);
  const fork = source == null ? undefined : await read(source);
  const hasAccess = author != null && (await mayPush(tools, author.id));
  return {
    forkName: fork?.path_with_namespace ?? null,
    maintainersMayEdit: mayEdit === true,
    ref: `refs/merge-requests/${iid}/head`,
    authorAccess: hasAccess ? "write" : "none",
  } as const;
}
