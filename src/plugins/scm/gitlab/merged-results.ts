import { z } from "zod";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { type MergeRequestRecord, readable } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Pipeline = z.object({ id: z.number(), sha: z.string(), ref: z.string().nullish() });
const Commit = z.object({ parent_ids: z.array(z.string()) });

/**
 * Pipelines may run on a merge of the branch into its base, whose commit GitLab creates for them. Returns the commit of
 * the newest such pipeline if it is about the current branch, or null.
 */
export async function readMergedResult(
  { client }: GitlabTools,
  { iid, sha }: MergeRequestRecord,
): Promise<string | null> {
  const path = `/projects/:id/merge_requests/${iid}/pipelines`;
  const records = readable(Pipeline, await client.read({ path, answer: z.array(z.unknown()) }));
  const [newest] = records.filter(({ ref }) => ref === `refs/merge-requests/${iid}/merge`).sort((a, b) => b.id - a.id);
  if (newest === undefined || sha == null) return null;
  const made = { path: `/projects/:id/repository/commits/${newest.sha}`, answer: Commit };
  const commit = await client.read(made).catch(ignoreMissing);
  return commit?.parent_ids.includes(sha) === true ? newest.sha : null;
}
