import { it } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { startLoopGithub } from "../forge/loop-github.ts";
import { workAnIssue } from "../forge/work-an-issue.ts";

const KILLS = isFull ? 10 : 3;

it(`works an issue from branch to merge on GitHub despite ${KILLS} daemon kills, and leaks no token`, async () => {
  await workAnIssue(await startLoopGithub(), KILLS);
});
