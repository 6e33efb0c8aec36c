import { PluginError } from "../../../core/errors.ts";
import type { MergeAnswer, MergeRequest } from "../../../ports/scm.ts";
import type { ReconcileAnswer } from "../../../ports/workspace.ts";
import { tryMerge } from "../../../providers/git/scm/merge-tree.ts";
import { readHead } from "../../../providers/git/scm/read-head.ts";
import { fetchBase } from "../../../providers/git/scm/remote-repository.ts";
import { reasonOf } from "./merge-status.ts";
import { boardTrain } from "./merge-train.ts";
import { MergeRequestRecord } from "./records.ts";
import { readSettings, type Settings, strategiesOf } from "./settings.ts";
import type { GitlabTools } from "./tools.ts";

/** Merges exactly this commit: GitLab rejects it if the branch has moved. */
export async function acceptMergeRequest(tools: GitlabTools, request: MergeRequest): Promise<MergeAnswer> {
  const shown = await showMergeRequest(tools, request.number);
  const done = await mergedAs(tools, request, shown);
  if (done !== null) return done;
  if (shown.sha !== request.head) return { kind: "moved", head: shown.sha ?? null };
  const settings = await readSettings(tools);
  const strategies = strategiesOf(settings);
  if (!strategies.includes(request.strategy)) {
    const reason = `the project on GitLab does not allow merges by ${request.strategy}, but by ${strategies.join(" or ")}`;
    return refusal(tools, request, { shown, reason });
  }
  try {
    if (settings.merge_trains_enabled === true) return await boardTrain(tools, request);
    const path = `/projects/:id/merge_requests/${request.number}/merge`;
    const body = { sha: request.head, ...wordsOf(request, settings) };
    const now = await tools.client.write({ method: "PUT", path, body, answer: MergeRequestRecord });
    const merged = await mergedAs(tools, request, now);
    return merged ?? { kind: "waits", reason: "GitLab has not finished the merge", files: [] };
  } catch (error) {
    if (!(error instanceof PluginError) || error.category !== "conflict") throw error;
    const now = await showMergeRequest(tools, request.number);
    return refusal(tools, request, { shown: now, reason: reasonOf(now) ?? error.message });
  }
}

/**
 * The message names the merge request once: in the merge commit, or in the squashed one if there is no merge commit.
 */
function wordsOf({ strategy, title, body, number }: MergeRequest, { merge_method: method }: Settings) {
  const text = body === "" ? "" : `\n\n${body}`;
  const named = `${title} (!${number})${text}`;
  if (strategy !== "squash") return { squash: false, merge_commit_message: named };
  const squashed = method === "ff" ? named : `${title}${text}`;
  return { squash: true, merge_commit_message: named, squash_commit_message: squashed };
}

// GitLab rejects it with a status: its current state tells why.
async function refusal(
  tools: GitlabTools,
  request: MergeRequest,
  { shown, reason }: { readonly shown: MergeRequestRecord; readonly reason: string },
): Promise<MergeAnswer> {
  const done = await mergedAs(tools, request, shown);
  if (done !== null) return done;
  if (shown.sha !== request.head) return { kind: "moved", head: shown.sha ?? null };
  const isConflict = shown.has_conflicts === true || shown.detailed_merge_status === "conflict";
  if (isConflict) return { kind: "conflict", files: await findConflicts(tools, request) };
  return { kind: "waits", reason, files: [] };
}

// GitLab knows that there is a conflict, but not where.
async function findConflicts(tools: GitlabTools, { project, head }: MergeRequest): Promise<readonly string[]> {
  await fetchBase(tools, project);
  const baseHead = await readHead(tools, project, project.defaultBranch);
  const tried = baseHead === null ? null : await tryMerge(tools, project, { head, baseHead });
  return tried?.kind === "conflict" ? tried.files : [];
}

/** After a crash: is exactly this head merged? */
export async function reconcileMerge(tools: GitlabTools, request: MergeRequest): Promise<ReconcileAnswer<MergeAnswer>> {
  const value = await mergedAs(tools, request, await showMergeRequest(tools, request.number));
  return value === null ? { kind: "not-done" } : { kind: "done", value };
}

// The base before is the first parent of what was added to it; after a fast-forward, where the branch left it.
async function mergedAs(
  tools: GitlabTools,
  request: MergeRequest,
  shown: MergeRequestRecord,
): Promise<MergeAnswer | null> {
  if (shown.state !== "merged" || shown.sha !== request.head) return null;
  const made = shown.merge_commit_sha ?? shown.squash_commit_sha ?? null;
  const commit = made ?? request.head;
  const left = shown.diff_refs?.base_sha ?? commit;
  const args = ["rev-parse", "-q", "--verify", `${commit}~1`];
  const parent = await fetchBase(tools, request.project)
    .then(() => tools.git({ cwd: request.project.path, args, okCodes: [0, 1, 128] }))
    .then(({ stdout }) => stdout.trim())
    .catch(() => "");
  return { kind: "merged", commit, baseBefore: made === null || parent === "" ? left : parent };
}

/** The current state of a merge request on GitLab. */
export function showMergeRequest(tools: GitlabTools, number: number): Promise<MergeRequestRecord> {
  return tools.client.read({ path: `/projects/:id/merge_requests/${number}`, answer: MergeRequestRecord });
}
