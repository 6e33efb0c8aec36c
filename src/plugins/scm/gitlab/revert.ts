import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { RevertAnswer, RevertRequest } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { isFromFork } from "./find-merge-request.ts";
import { showMergeRequest } from "./merge.ts";
import { Sides } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const PATH = "/projects/:id/merge_requests";
const BRANCHES = "/projects/:id/repository/branches";

const Listed = Sides.extend({ iid: z.number(), web_url: z.string(), sha: z.string().nullish() });
const Branch = z.object({ commit: z.object({ id: z.string(), message: z.string().nullish() }) });
const Commit = z.object({ id: z.string() });

/** GitLab reverts the merge commit on a branch named after it, so that both can be found after a crash. */
export async function revertMergeRequest(tools: GitlabTools, request: RevertRequest): Promise<RevertAnswer> {
  const { client } = tools;
  const branch = `revert-merge-request-${request.number}`;
  const known = (
    await client.read({ path: PATH, query: { source_branch: branch, state: "all" }, answer: z.array(Listed) })
  ).find((one) => !isFromFork(one));
  if (known !== undefined) {
    return { kind: "opened", number: known.iid, url: known.web_url, branch, head: known.sha ?? "" };
  }
  const shown = await showMergeRequest(tools, request.number);
  const commit = shown.merge_commit_sha ?? shown.squash_commit_sha ?? null;
  if (shown.state !== "merged") return { kind: "refused", reason: "it is not merged" };
  if (commit === null)
    return { kind: "refused", reason: "no single commit holds all of it: it was merged by fast-forward" };
  const base = request.project.defaultBranch;
  const head = await revertOn(tools, { branch, base, commit });
  if (head === null) {
    const path = `${BRANCHES}/${branch}`;
    await client.write({ method: "DELETE", path, answer: z.unknown() }).catch(ignoreMissing);
    return { kind: "refused", reason: "it does not revert cleanly: what came after it changed the same lines" };
  }
  const description = `${request.body}\n\nReverts !${request.number}.`.trim();
  const body = { source_branch: branch, target_branch: base, title: request.title, description };
  const opened = await client.write({ method: "POST", path: PATH, body, answer: Listed });
  return { kind: "opened", number: opened.iid, url: opened.web_url, branch, head };
}

interface Revert {
  readonly branch: string;
  readonly base: string;
  readonly commit: string;
}

/** The commit of the branch that reverts the other one; null: GitLab cannot create it. */
async function revertOn({ client }: GitlabTools, { branch, base, commit }: Revert): Promise<string | null> {
  const there = await client.read({ path: `${BRANCHES}/${branch}`, answer: Branch }).catch(ignoreMissing);
  // GitLab names the commit in the message; a branch without it was left by a crash before the revert.
  if (there?.commit.message?.includes(commit) === true) return there.commit.id;
  if (there === undefined) {
    await client.write({ method: "POST", path: BRANCHES, body: { branch, ref: base }, answer: z.unknown() });
  }
  const path = `/projects/:id/repository/commits/${commit}/revert`;
  const made = await client.write({ method: "POST", path, body: { branch }, answer: Commit }).catch(ignoreConflict);
  return made?.id ?? null;
}

function ignoreConflict(error: unknown): undefined {
  if (!(error instanceof PluginError) || error.category !== "conflict") throw error;
  return undefined;
}
