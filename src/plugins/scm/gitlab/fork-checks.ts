import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { isFromFork } from "./find-merge-request.ts";
import { type MergeRequestRecord, readable, StatusRecord } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Pipeline = z.object({
  id: z.number(),
  project_id: z.number(),
  sha: z.string(),
  status: z.string(),
  updated_at: z.string().nullish(),
  web_url: z.string().nullish(),
});

/** Pipelines of a merge request's commit that ran in its fork, which the project's own list does not show. */
export interface ForkPipelines {
  /** Changes when one of them does. */
  readonly mark: string;
  read(): Promise<readonly StatusRecord[]>;
}

/** null: the merge request is not from a fork, or none has run there. */
export async function findForkPipelines(tools: GitlabTools, record: MergeRequestRecord): Promise<ForkPipelines | null> {
  const { iid, sha, source_project_id: forkId } = record;
  if (!isFromFork(record) || sha == null || forkId == null) return null;
  const path = `/projects/:id/merge_requests/${iid}/pipelines`;
  const listed = readable(Pipeline, await tools.client.read({ path, answer: z.array(z.unknown()) }));
  const own = listed.filter((one) => one.project_id === forkId && one.sha === sha);
  if (own.length === 0) return null;
  return {
    mark: own.map(({ id, status, updated_at: at }) => `${id} ${status} ${at}`).join(),
    read: async () => {
      const jobs = { path: `/projects/${forkId}/repository/commits/${sha}/statuses` };
      const found = await tools.client.pages(jobs).catch(ignoreHidden);
      const statuses = found === undefined ? own.map(asStatus) : readable(StatusRecord, found);
      return statuses.map((status) => ({ ...status, forkId }));
    },
  };
}

function ignoreHidden(error: unknown): undefined {
  const isHidden = error instanceof PluginError && ["not-found", "auth"].includes(error.category);
  if (!isHidden) throw error;
}

// A fork may hide its jobs; whether its pipeline passed shows in the merge request.
function asStatus({ id, status, web_url: url }: z.infer<typeof Pipeline>): StatusRecord {
  return { id, name: "pipeline", status, target_url: url };
}
