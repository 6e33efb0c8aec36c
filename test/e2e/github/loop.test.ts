import { it } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { startLoopGithub } from "../forge/loop-github.ts";
import { workAnIssue } from "../forge/work-an-issue.ts";

const KILLS = isFull ? 10 : 3;

it(`works an issue from branch to merge on GitHub though the daemon is killed ${KILLS} times, and shows the token to nobody`, async () => {
  await workAnIssue(await startLoopGithub(), KILLS);
});
