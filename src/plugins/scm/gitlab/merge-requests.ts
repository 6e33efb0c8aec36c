import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { ChangeRequest, OpenChange, ScmProject } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { type Deletion, deleteBranch } from "../../../providers/git/scm/delete-branch.ts";
import { isBranchName, readHead } from "../../../providers/git/scm/read-head.ts";
import { pushBranch, readRemoteHead } from "../../../providers/git/scm/remote-repository.ts";
import type { GitlabScmConfig } from "./config.ts";
import { isFromFork } from "./find-merge-request.ts";
import { Sides } from "./records.ts";
import type { GitlabTools } from "./tools.ts";

const Opened = Sides.extend({ iid: z.number(), web_url: z.string(), draft: z.boolean().nullish() });
const PATH = "/projects/:id/merge_requests";

/** Pushes the branch and finds its open merge request, whoever opened it, or opens one. */
export async function ensureChange(
  tools: GitlabTools,
  request: ChangeRequest,
  { drafts }: Pick<GitlabScmConfig, "drafts">,
): Promise<OpenChange> {
  const { project, branch, base, head, title, body } = request;
  if (!isBranchName(branch) || (await readHead(tools, project, branch)) === null) {
    const message = `There is no branch ${branch} in ${project.path}.`;
    throw new PluginError({ plugin: "gitlab", category: "not-found", message });
  }
  const pushed = await pushBranch(tools, project, { branch, head, published: null });
  if (pushed.kind === "diverged") {
    throw new PluginError({
      plugin: "gitlab",
      category: "conflict",
      message: `GitLab already has a branch ${branch}, at ${pushed.head.slice(0, 12)}, which is not in the worktree.`,
      hint: `Delete it there, or merge it into ${branch}.`,
    });
  }
  const query = { state: "opened", source_branch: branch };
  const open = await tools.client.read({ path: PATH, query, answer: z.array(Opened) });
  // A fork may have a branch with the same name.
  const known = open.find((one) => !isFromFork(one));
  const written = drafts ? `Draft: ${title}` : title;
  const wanted = { source_branch: branch, target_branch: base, title: written, description: body };
  const opened = known ?? (await tools.client.write({ method: "POST", path: PATH, body: wanted, answer: Opened }));
  const isDraft = drafts && opened.draft === true;
  return { number: opened.iid, url: opened.web_url, ...(isDraft ? { isDraft } : {}) };
}

/** Deletes a merged branch on GitLab and locally, if each is still at the merged commit. */
export async function deleteEverywhere(
  tools: GitlabTools,
  project: ScmProject,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<Deletion> {
  if (branch === project.defaultBranch) return { deleted: false, reason: `${branch} is the project's default branch` };
  const there = await readRemoteHead(tools, project, branch);
  if (there !== null && there !== head) {
    return { deleted: false, reason: `${branch} has moved on GitLab to ${there.slice(0, 12)}` };
  }
  if (there !== null) {
    const path = `/projects/:id/repository/branches/${encodeURIComponent(branch)}`;
    // A project setting may delete it at the same moment.
    await tools.client.write({ method: "DELETE", path, answer: z.unknown() }).catch(ignoreMissing);
  }
  return deleteBranch(tools, project, { branch, head });
}
