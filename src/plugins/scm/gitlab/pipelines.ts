import { z } from "zod";
import { readable } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Pipeline = z.object({ sha: z.string(), ref: z.string().nullish(), updated_at: z.string() });
const PAGE = 100;
const MAX_KEPT = 5000;

/** Marks that change when a pipeline of a commit, a branch or a merge request changes. */
export interface PipelineMarks {
  ofCommit(sha: string): string;
  ofBranch(name: string): string;
  ofMergeRequest(number: number): string;
}

/** Watches all pipelines of a project with one request. */
export function createPipelineWatch(tools: GitlabTools): () => Promise<PipelineMarks> {
  const changedAt = new Map<string, string>();
  let newest = "";
  let gaps = 0;
  const note = (key: string, at: string): void => {
    if (at > (changedAt.get(key) ?? "")) changedAt.set(key, at);
    const [oldest] = changedAt.keys();
    if (changedAt.size > MAX_KEPT && oldest !== undefined) changedAt.delete(oldest);
  };
  const markOf = (key: string): string => `${gaps} ${changedAt.get(key) ?? ""}`;
  return async () => {
    const records = await listPipelines(tools, newest);
    // What did not fit on the page may be about any commit.
    if (records.length >= PAGE && newest !== "") gaps += 1;
    for (const { sha, ref, updated_at: at } of readable(Pipeline, records)) {
      note(sha, at);
      // A merge request has its own refs for its pipelines.
      note(/^refs\/merge-requests\/\d+\//.exec(ref ?? "")?.[0] ?? `refs/heads/${ref}`, at);
      newest = at > newest ? at : newest;
    }
    return {
      ofCommit: markOf,
      ofBranch: (name) => markOf(`refs/heads/${name}`),
      ofMergeRequest: (number) => markOf(`refs/merge-requests/${number}/`),
    };
  };
}

function listPipelines(tools: GitlabTools, newest: string): Promise<readonly unknown[]> {
  // A second back: several pipelines may change at the same moment.
  const since = newest === "" ? {} : { updated_after: new Date(Date.parse(newest) - 1000).toISOString() };
  const query = { order_by: "updated_at", sort: "desc", per_page: PAGE, ...since };
  return tools.client.read({ path: "/projects/:id/pipelines", query, answer: z.array(z.unknown()) });
}
