import { definePlugin } from "../../../ports/plugin.ts";
import type { Scm } from "../../../ports/scm.ts";
import { deleteEverywhere } from "../../../providers/forge/request-branch.ts";
import { createGit } from "../../../providers/git/git.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { readRepository } from "../../../providers/git/scm/read-repository.ts";
import { newestBase, type RemoteRepository } from "../../../providers/git/scm/remote-repository.ts";
import { addressOf, projectPathOf } from "../../../providers/gitlab/address.ts";
import { createGitlabClient } from "../../../providers/gitlab/client.ts";
import { requireToken, TOKEN_VARIABLES } from "../../../providers/gitlab/token.ts";
import { inTurn } from "../../../providers/web/in-turn.ts";
import { Config, type GitlabScmConfig } from "./config.ts";
import { examineForge } from "./examine.ts";
import { acceptMergeRequest, reconcileMerge } from "./merge.ts";
import { ensureChange } from "./merge-requests.ts";
import { createRemote } from "./remote.ts";
import { revertMergeRequest } from "./revert.ts";
import type { GitlabTools } from "./tools.ts";

/** Merge requests of a project on gitlab.com or a self-managed GitLab. */
export const gitlabScm = definePlugin({
  slot: "scm",
  name: "gitlab",
  summary: "Merge requests, pipelines, reviews and merges on GitLab.",
  config: Config,
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.38", fix: "Install git 2.38 or newer (git-scm.com)." },
  ],
  secrets: TOKEN_VARIABLES,
  create: (config, host, { home }): Scm => {
    const client = createGitlabClient(host, addressOf(config.baseUrl ?? config.url), projectPathOf(config.repo));
    const urlOf = (name: string): string => `${client.address.web}/${name}.git`;
    const repositoryThere: RemoteRepository = {
      forge: "GitLab",
      url: urlOf(client.project),
      urlOf,
      credentials: async () => ({ user: "oauth2", token: (await requireToken(host, client.address)).value }),
    };
    const git = createGit(host, home === "" ? {} : { overrides: createProgramGuard(host, home) });
    return createGitlabScm({ host, git, home, refFor: newestBase, client, repositoryThere }, config);
  },
});

function createGitlabScm(tools: GitlabTools, settings: GitlabScmConfig): Scm {
  // GitLab rejects a merge while another one moves the base.
  const inOrder = inTurn();
  return {
    ...readRepository(tools),
    remote: createRemote(tools, settings),
    ensureChange: (request) => ensureChange(tools, request, settings),
    merge: (request) => inOrder(() => acceptMergeRequest(tools, request)),
    reconcileMerge: (request) => reconcileMerge(tools, request),
    revert: (request) => revertMergeRequest(tools, request),
    deleteBranch: (project, branch, head) => deleteEverywhere(tools, { project, branch, head }),
    runCheck: async () => ({ kind: "cancelled", reason: "checks run on GitLab" }),
    readCheckLog: async () => null,
    examine: (project, facts) => examineForge(tools, project, facts),
  };
}
