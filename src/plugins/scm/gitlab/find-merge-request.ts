import { z } from "zod";
import type { FoundChange } from "../../../core/change/found-change.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { stateOf } from "./merge-status.ts";
import { Sides } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Found = Sides.extend({
  iid: z.number(),
  web_url: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  author: z.object({ username: z.string() }).nullish(),
  state: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
});

/** A merge request by its number, whoever opened it; null: not found. */
export async function findMergeRequest({ client }: GitlabTools, number: number): Promise<FoundChange | null> {
  const path = `/projects/:id/merge_requests/${number}`;
  const found = await client.read({ path, answer: Found }).catch(ignoreMissing);
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
    isFork: isFromFork(found),
  };
}

/** Is its branch in another project? A deleted fork no longer has an id. */
export function isFromFork({ source_project_id: source, target_project_id: target }: Sides): boolean {
  return source !== target;
}
