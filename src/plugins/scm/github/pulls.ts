import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import type { ChangeRequest, OpenChange, ScmProject } from "../../../ports/scm.ts";
import { ignoreMissing } from "../../../providers/forge/ignore-missing.ts";
import { type Deletion, deleteBranch } from "../../../providers/git/scm/delete-branch.ts";
import { isBranchName, readHead } from "../../../providers/git/scm/read-head.ts";
import { pushBranch, readRemoteHead } from "../../../providers/git/scm/remote-repository.ts";
import type { GithubScmConfig } from "./config.ts";
import type { GithubTools } from "./tools.ts";

const Opened = z.object({ number: z.number(), html_url: z.string(), draft: z.boolean().nullish() });

/** Pushes the branch and finds its open pull request, whoever opened it, or opens one. */
export async function ensureChange(
  tools: GithubTools,
  request: ChangeRequest,
  { drafts }: Pick<GithubScmConfig, "drafts">,
): Promise<OpenChange> {
  const { project, branch, base, head, title, body } = request;
  if (!isBranchName(branch) || (await readHead(tools, project, branch)) === null) {
    const message = `There is no branch ${branch} in ${project.path}.`;
    throw new PluginError({ plugin: "github", category: "not-found", message });
  }
  const pushed = await pushBranch(tools, project, { branch, head, published: null });
  if (pushed.kind === "diverged") {
    throw new PluginError({
      plugin: "github",
      category: "conflict",
      message: `GitHub already has a branch ${branch}, at ${pushed.head.slice(0, 12)}, which is not in the worktree.`,
      hint: `Delete it there, or merge it into ${branch}.`,
    });
  }
  const opened = (await findOpen(tools, branch)) ?? (await open(tools, { head: branch, base, title, body }, drafts));
  const isDraft = drafts && opened.draft === true;
  return { number: opened.number, url: opened.html_url, ...(isDraft ? { isDraft } : {}) };
}

async function open(tools: GithubTools, facts: object, draft: boolean): Promise<z.infer<typeof Opened>> {
  const parameters = { ...tools.repository, ...facts, ...(draft ? { draft } : {}) };
  const call = { route: "POST /repos/{owner}/{repo}/pulls", parameters, answer: Opened };
  return tools.client.rest(call).catch((error: unknown) => {
    // A private repository of a free account has no drafts.
    if (draft && error instanceof PluginError && /draft pull requests are not supported/i.test(error.message)) {
      return open(tools, facts, false);
    }
    throw error;
  });
}

async function findOpen(tools: GithubTools, branch: string): Promise<z.infer<typeof Opened> | null> {
  const parameters = { ...tools.repository, state: "open", head: `${tools.repository.owner}:${branch}` };
  const route = "GET /repos/{owner}/{repo}/pulls";
  const [found] = await tools.client.rest({ route, parameters, answer: z.array(Opened) });
  return found ?? null;
}

/** Deletes a merged branch on GitHub and locally, if each is still at the merged commit. */
export async function deleteEverywhere(
  tools: GithubTools,
  project: ScmProject,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<Deletion> {
  if (branch === project.defaultBranch) return { deleted: false, reason: `${branch} is the project's default branch` };
  const there = await readRemoteHead(tools, project, branch);
  if (there !== null && there !== head) {
    return { deleted: false, reason: `${branch} has moved on GitHub to ${there.slice(0, 12)}` };
  }
  if (there !== null) {
    const parameters = { ...tools.repository, ref: `heads/${branch}` };
    const route = "DELETE /repos/{owner}/{repo}/git/refs/{+ref}";
    // A repository setting may delete it at the same moment.
    await tools.client.rest({ route, parameters, answer: z.unknown() }).catch(ignoreMissing);
  }
  return deleteBranch(tools, project, { branch, head });
}
