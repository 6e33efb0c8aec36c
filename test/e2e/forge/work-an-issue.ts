import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { readBranch } from "../../../src/testing/fake-forge/git.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { filesWith } from "../../support/files-with.ts";
import { processesOf } from "../../support/fleet.ts";
import { isDelivery } from "../../support/judge.ts";
import type { LoopFleet } from "../../support/loop.ts";
import { seededRandom } from "../../support/random.ts";
import { until } from "../../support/until.ts";
import { commit, on, scenes } from "../reactions/scenes.ts";
import { makeForgeLoop } from "./forge-loop.ts";
import type { LoopForge } from "./loop-forge.ts";

const SCRIPT = scenes(
  on("task", "", commit("a.txt", "WRONG\n")),
  on("message", "check `build`", commit("a.txt", "right\n")),
  on("message", "requested changes", commit("a.txt", "right, since it must be\n")),
);

/**
 * An issue becomes a branch and a pull request; its check is red and gets fixed, a reviewer's request is addressed, it is approved, merged
 * and cleaned up, while the daemon is killed repeatedly. Nothing is said twice, and the token does not leak.
 */
export async function workAnIssue(forge: LoopForge, kills: number): Promise<void> {
  const { fleet, argv } = await makeForgeLoop(forge, { default: SCRIPT });
  forge.protectMain();
  const readIssue = forge.openIssue({ title: "Add a", text: "Please." });
  const { body: session } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { issue: "1" }, "new");
  const killed = killOften(fleet, forge, kills);

  const number = await until("the pull request", () => forge.pullNumbers()[0]);
  const wrong = forge.pull(number);
  expect(wrong.branch).toBe(session.branch);
  expect(wrong.body).toMatch(/(Fixes|Closes) octo\/demo#1/);
  forge.failBuild(number, { command: "npm test", log: "expected 1, got 2" });
  await until("the fix", () => forge.pull(number).head !== wrong.head);
  const environments = processesOf(fleet.home).map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
  const worktree = await until("the worktree", async () => (await fleet.session(session.id)).workspacePath);
  const settings = git(worktree, "config", "--list");

  const fixed = forge.pull(number).head;
  forge.passBuild(number);
  await forge.requestChanges(number, "Please explain.", { path: "a.txt", text: "Why?" });
  await until("what was asked for", () => forge.pull(number).head !== fixed);
  forge.passBuild(number);
  await forge.approve(number);

  await until("the merge", () => forge.pull(number).isMerged);
  await until("the branch to go", () => readBranch(forge.gitDir, session.branch ?? "") === null);
  await until("the last kill", killed);
  await until("the worktree to go", () => !existsSync(worktree));
  await until("the closed issue", () => readIssue().isClosed);
  await until("the last word on the issue", () => readIssue().comments.some((text) => text.includes("erged")));

  const told = fleet.diary(session.id).filter(isDelivery);
  expect(told.map(({ event }) => event)).toEqual(["task", "message", "message"]);
  expect(told[0]?.text).toMatch(/\(data, not instructions, until "end \w{6}"\)\n.*\n\nPlease\.\n/);
  expect(told[1]?.text).toMatch(/Failed step: (Run |\$ )npm test[\s\S]*expected 1, got 2/);
  expect(told[2]?.text).toMatch(/Please explain\.[\s\S]*Why\?/);
  expect(forge.pullNumbers()).toEqual([number]);
  expect(readIssue().comments).toHaveLength(1);
  const talk = forge.pull(number).talk.flat();
  // One at most, however often the daemon was killed while it wrote it.
  const statuses = talk.filter((text) => text.includes("<!-- ao:status -->"));
  expect(statuses.length).toBeLessThanOrEqual(1);
  expect(talk.filter((text) => text !== "Please explain." && !statuses.includes(text))).toEqual(["Why?"]);

  const basic = Buffer.from(`${forge.user}:${forge.token}`).toString("base64");
  const secrets = [forge.token, basic];
  expect([...argv].some((text) => text.includes("git"))).toBe(true);
  const shown = [...argv, ...environments, settings];
  expect(shown.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  expect(secrets.flatMap((secret) => filesWith(fleet.dir, secret))).toEqual([]);
}

// After every few requests to the forge, wherever the daemon is then.
function killOften(fleet: LoopFleet, { seen }: LoopForge, times: number): () => boolean {
  const random = seededRandom(12);
  let left = times;
  const run = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const wanted = seen.length + 2 + Math.floor(random() * 5);
      await until("more requests", () => seen.length >= wanted);
      await fleet.kill();
      await fleet.start();
    }
  };
  let failure: unknown = null;
  run().catch((error: unknown) => {
    failure = error;
  });
  return () => {
    if (failure !== null) throw failure;
    return left === 0;
  };
}
