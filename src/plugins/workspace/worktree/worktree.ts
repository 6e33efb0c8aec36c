import { definePlugin } from "../../../ports/plugin.ts";
import { CheckoutConfig } from "../../../providers/git/config.ts";
import { createCover } from "../../../providers/git/cover.ts";
import { createGit } from "../../../providers/git/git.ts";
import { repositoryLane } from "../../../providers/git/lane.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { createTrials } from "../../../providers/git/trials.ts";
import { createCheckouts } from "../../../providers/git/workspace.ts";
import { linkedWorktrees } from "./linked.ts";
import { dropStash } from "./stash.ts";

/** A git worktree per session: its own folder and branch, one shared repository. */
export const worktree = definePlugin({
  slot: "workspace",
  name: "worktree",
  summary: "A git worktree for each session, below the project's .worktrees folder.",
  config: CheckoutConfig,
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.25", fix: "Install git 2.25 or newer (git-scm.com)." },
  ],
  create(config, host, context) {
    const git = createGit(host, {
      cover: createCover(host.fs, context),
      overrides: createProgramGuard(host, context.home),
    });
    const tools = linkedWorktrees({ host, git, lane: repositoryLane, config }, context.home);
    const checkouts = createCheckouts(tools);
    return {
      ...checkouts,
      trials: createTrials(tools, context.home),
      dropPreserved: async (ref, dryRun) => [
        ...(await checkouts.dropPreserved(ref, dryRun)),
        ...(await dropStash(tools, ref, dryRun)),
      ],
    };
  },
});
