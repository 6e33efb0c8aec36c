import { it } from "vitest";
import { findTheCause } from "../forge/find-the-cause.ts";
import { startLoopGitlab } from "../forge/loop-gitlab.ts";

it("wakes an agent for its own failure on GitLab once, not for one of main or a flake, and the timeline says why", async () => {
  await findTheCause(await startLoopGitlab());
});
