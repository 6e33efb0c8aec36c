import { it } from "vitest";
import { findTheCause } from "../forge/find-the-cause.ts";
import { startLoopGithub } from "../forge/loop-github.ts";

it("wakes an agent for its own failure on GitHub once, not for one of main or a flake, and the timeline says why", async () => {
  await findTheCause(await startLoopGithub());
});
