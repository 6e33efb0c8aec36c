import { definePlugin } from "../../../ports/plugin.ts";
import { CheckoutConfig } from "../../../providers/git/config.ts";
import { createCover } from "../../../providers/git/cover.ts";
import { createGit } from "../../../providers/git/git.ts";
import { repositoryLane } from "../../../providers/git/lane.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { separateCheckouts } from "../../../providers/git/separate/checkouts.ts";
import { createSeparate } from "../../../providers/git/separate/workspace.ts";
import { createTrials } from "../../../providers/git/trials.ts";
import { createCheckouts } from "../../../providers/git/workspace.ts";
import { releaseBorrowed } from "./borrowed.ts";
import { combine } from "./combine.ts";
import { linkedWorktrees } from "./linked.ts";
import { makeOwnRepository } from "./own-repository.ts";

/** A git worktree per session: its own folder and branch, one shared repository; in a sandbox, a repository of its own. */
export const worktree = definePlugin({
  slot: "workspace",
  name: "worktree",
  summary: "A git worktree for each session, below the project's .worktrees folder.",
  config: CheckoutConfig,
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.25", fix: "Install git 2.25 or newer (git-scm.com)." },
  ],
  create(config, host, { home, projectPath }) {
    const git = createGit(host, {
      cover: createCover(host.fs, { home, projectPath }),
      overrides: createProgramGuard(host, home),
    });
    const base = { host, git, lane: repositoryLane, config };
    const linkedTools = linkedWorktrees(base, home);
    const ownTools = separateCheckouts(base, home, {
      make: (asked) => makeOwnRepository(base, home, asked),
      release: (place) => releaseBorrowed(base, place),
    });
    const forms = { linked: createCheckouts(linkedTools), own: createSeparate(ownTools) };
    const findGitDir = async (folder: string): Promise<string | null> =>
      (await ownTools.kind.findGitDir(folder)) ?? linkedTools.kind.findGitDir(folder);
    return { ...combine(base, home, forms), trials: createTrials({ ...base, findGitDir }, home) };
  },
});
