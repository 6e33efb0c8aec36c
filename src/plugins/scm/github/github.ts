import { definePlugin } from "../../../ports/plugin.ts";
import type { Scm } from "../../../ports/scm.ts";
import { deleteEverywhere } from "../../../providers/forge/request-branch.ts";
import { createGit } from "../../../providers/git/git.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { readRepository } from "../../../providers/git/scm/read-repository.ts";
import { newestBase, type RemoteRepository } from "../../../providers/git/scm/remote-repository.ts";
import { addressOf, repositoryOf } from "../../../providers/github/address.ts";
import { APP_VARIABLES, findApp } from "../../../providers/github/app.ts";
import { createGithubClient } from "../../../providers/github/client.ts";
import { requireToken, TOKEN_VARIABLES } from "../../../providers/github/token.ts";
import { Config, type GithubScmConfig } from "./config.ts";
import { examineForge } from "./examine.ts";
import { mergePull, reconcileMerge } from "./merge.ts";
import { ensureChange } from "./pulls.ts";
import { createRemote } from "./remote.ts";
import { revertPull } from "./revert.ts";
import type { GithubTools } from "./tools.ts";

/** Pull requests of a repository on GitHub or GitHub Enterprise. */
export const githubScm = definePlugin({
  slot: "scm",
  name: "github",
  summary: "Pull requests, checks, reviews and merges on GitHub.",
  config: Config,
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.38", fix: "Install git 2.38 or newer (git-scm.com)." },
  ],
  secrets: [...TOKEN_VARIABLES, ...APP_VARIABLES],
  create: (config, host, { home }): Scm => {
    const identity = { address: addressOf(config.baseUrl), repository: repositoryOf(config.repo) };
    const { repository } = identity;
    const client = createGithubClient(host, identity);
    const reviewer =
      findApp(host, "reviewer") === null ? client : createGithubClient(host, { ...identity, role: "reviewer" });
    const urlOf = (name: string): string => `${client.address.web}/${name}.git`;
    const repositoryThere: RemoteRepository = {
      forge: "GitHub",
      url: urlOf(`${repository.owner}/${repository.repo}`),
      urlOf,
      credentials: async () => ({ user: "x-access-token", token: (await requireToken(host, identity)).value }),
    };
    const git = createGit(host, home === "" ? {} : { overrides: createProgramGuard(host, home) });
    const tools = { host, git, home, refFor: newestBase, client, reviewer, repository, repositoryThere };
    return createGithubScm(tools, config);
  },
});

function createGithubScm(tools: GithubTools, settings: GithubScmConfig): Scm {
  // GitHub rejects a merge while another one moves the base.
  let lastMerge: Promise<unknown> = Promise.resolve();
  const merge: Scm["merge"] = (request) => {
    const done = lastMerge.then(() => mergePull(tools, request));
    lastMerge = done.catch(() => undefined);
    return done;
  };
  return {
    ...readRepository(tools),
    remote: createRemote(tools, settings),
    ensureChange: (request) => ensureChange(tools, request, settings),
    revert: (request) => revertPull(tools, request),
    merge,
    reconcileMerge: (request) => reconcileMerge(tools, request),
    deleteBranch: (project, branch, head) => deleteEverywhere(tools, { project, branch, head }),
    runCheck: async () => ({ kind: "cancelled", reason: "checks run on GitHub" }),
    readCheckLog: async () => null,
    examine: (project, facts) => examineForge(tools, project, facts),
  };
}
