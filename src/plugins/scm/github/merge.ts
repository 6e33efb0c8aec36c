import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { MergeAnswer, MergeRequest } from "../../../ports/scm.ts";
import type { ReconcileAnswer } from "../../../ports/workspace.ts";
import { tryMerge } from "../../../providers/git/scm/merge-tree.ts";
import { readHead } from "../../../providers/git/scm/read-head.ts";
import { fetchBase } from "../../../providers/git/scm/remote-repository.ts";
import { joinQueue, readQueue } from "./merge-queue.ts";
import type { GithubTools } from "./tools.ts";

const Merged = z.object({ sha: z.string() });

const Shown = z.object({
  merged: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  commits: z.number().nullish(),
  head: z.object({ sha: z.string() }),
  base: z.object({ sha: z.string() }),
});
type Shown = z.infer<typeof Shown>;

/** Merges exactly this commit: GitHub rejects it if the branch has moved. */
export async function mergePull(tools: GithubTools, request: MergeRequest): Promise<MergeAnswer> {
  const shown = await showPull(tools, request.number);
  const done = await mergedAs(tools, request, shown);
  if (done !== null) return done;
  if (shown.head.sha !== request.head) return { kind: "moved", head: shown.head.sha };
  const queue = await readQueue(tools, request.number);
  if (queue !== null) return joinQueue(tools, request, queue);
  const parameters = {
    ...tools.repository,
    pull_number: request.number,
    sha: request.head,
    merge_method: request.strategy,
    commit_title: `${request.title} (#${request.number})`,
    commit_message: request.body,
  };
  try {
    const route = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";
    const { sha } = await tools.client.rest({ route, parameters, answer: Merged });
    return await describeMerge(tools, request, { ...shown, merge_commit_sha: sha });
  } catch (error) {
    return refusal(tools, request, error);
  }
}

// GitHub rejects it without a category: its current state tells why.
async function refusal(tools: GithubTools, request: MergeRequest, error: unknown): Promise<MergeAnswer> {
  if (!(error instanceof PluginError) || error.category !== "conflict") throw error;
  const now = await showPull(tools, request.number);
  const done = await mergedAs(tools, request, now);
  if (done !== null) return done;
  if (now.head.sha !== request.head) return { kind: "moved", head: now.head.sha };
  if (now.mergeable_state === "dirty") return { kind: "conflict", files: await findConflicts(tools, request) };
  return { kind: "waits", reason: error.message, files: [] };
}

// GitHub knows that there is a conflict, but not where.
async function findConflicts(tools: GithubTools, { project, head }: MergeRequest): Promise<readonly string[]> {
  await fetchBase(tools, project);
  const baseHead = await readHead(tools, project, project.defaultBranch);
  const tried = baseHead === null ? null : await tryMerge(tools, project, { head, baseHead });
  return tried?.kind === "conflict" ? tried.files : [];
}

/** After a crash: is exactly this head merged? */
export async function reconcileMerge(tools: GithubTools, request: MergeRequest): Promise<ReconcileAnswer<MergeAnswer>> {
  const value = await mergedAs(tools, request, await showPull(tools, request.number));
  return value === null ? { kind: "not-done" } : { kind: "done", value };
}

async function mergedAs(tools: GithubTools, request: MergeRequest, shown: Shown): Promise<MergeAnswer | null> {
  if (shown.merged !== true || shown.head.sha !== request.head) return null;
  return describeMerge(tools, request, shown);
}

// The base before is the parent of what was added to it; a merge without that knowledge is still a merge.
async function describeMerge(tools: GithubTools, request: MergeRequest, shown: Shown): Promise<MergeAnswer> {
  const commit = shown.merge_commit_sha ?? shown.base.sha;
  const added = request.strategy === "rebase" ? (shown.commits ?? 1) : 1;
  const cwd = request.project.path;
  const baseBefore = await fetchBase(tools, request.project)
    .then(() => tools.git({ cwd, args: ["rev-parse", "-q", "--verify", `${commit}~${added}`], okCodes: [0, 1, 128] }))
    .then(({ stdout }) => stdout.trim())
    .catch(() => "");
  return { kind: "merged", commit, baseBefore: baseBefore === "" ? shown.base.sha : baseBefore };
}

async function showPull(tools: GithubTools, number: number): Promise<Shown> {
  const parameters = { ...tools.repository, pull_number: number };
  return tools.client.rest({ route: "GET /repos/{owner}/{repo}/pulls/{pull_number}", parameters, answer: Shown });
}
