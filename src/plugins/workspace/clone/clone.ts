import { definePlugin } from "../../../ports/plugin.ts";
import { CheckoutConfig } from "../../../providers/git/config.ts";
import { createCover } from "../../../providers/git/cover.ts";
import { createGit } from "../../../providers/git/git.ts";
import { repositoryLane } from "../../../providers/git/lane.ts";
import { createProgramGuard } from "../../../providers/git/programs.ts";
import { separateCheckouts } from "../../../providers/git/separate/checkouts.ts";
import { createSeparate } from "../../../providers/git/separate/workspace.ts";
import { makeClone } from "./make.ts";

/** A full clone per session: a separate repository that shares nothing with the user's except what is published. */
export const clone = definePlugin({
  slot: "workspace",
  name: "clone",
  summary: "A full clone for each session, made from a local mirror; its branch is published to the project.",
  config: CheckoutConfig,
  requires: [
    { program: "git", versionArgs: ["--version"], minVersion: "2.29", fix: "Install git 2.29 or newer (git-scm.com)." },
  ],
  create(config, host, context) {
    const cover = createCover(host.fs, context);
    const guards = { cover, overrides: createProgramGuard(host, context.home) };
    const base = { host, git: createGit(host, guards), lane: repositoryLane, config };
    const { home } = context;
    return createSeparate(
      separateCheckouts(base, home, {
        make: (asked) => makeClone(base, home, asked),
        // It borrows nothing.
        release: async () => undefined,
      }),
    );
  },
});
