import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { readBranch } from "../../../src/testing/fake-forge/git.ts";
import { isFull } from "../../../src/testing/full.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { processesOf } from "../../support/fleet.ts";
import { isDelivery } from "../../support/judge.ts";
import { seededRandom } from "../../support/random.ts";
import { until } from "../../support/until.ts";
import { commit, on, scenes } from "../reactions/scenes.ts";
import { type GithubLoop, makeGithubLoop } from "./github-loop.ts";

const KILLS = isFull ? 10 : 3;

const SCRIPT = scenes(
  on("task", "", commit("a.txt", "WRONG\n")),
  on("message", "check `build`", commit("a.txt", "right\n")),
  on("message", "requested changes", commit("a.txt", "right, since it must be\n")),
);

it(`works an issue from branch to merge on GitHub though the daemon is killed ${KILLS} times, and shows the token to nobody`, async () => {
  const loop = await makeGithubLoop({ default: SCRIPT });
  const { fleet, github, there } = loop;
  there.protect("main", { approvals: 1, checks: ["build"] });
  const issue = there.openIssue({ title: "Add a", body: "Please." });
  const { body: session } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { issue: "1" }, "new");
  const killed = killOften(loop, KILLS);

  const number = 2;
  await until("the pull request", () => there.record.pulls.has(number));
  const pull = there.pull(number);
  expect(pull).toMatchObject({ headBranch: session.branch, body: expect.stringContaining("Fixes octo/demo#1") });
  const wrong = pull.head;
  there.checks.fail(number, { name: "build", step: "tests", log: "expected 1, got 2" });
  await loop.notify(number);
  await until("the fix", () => pull.head !== wrong);
  const environments = processesOf(fleet.home).map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
  const worktree = await until("the worktree", async () => (await fleet.session(session.id)).workspacePath);
  const settings = git(worktree, "config", "--list");

  const fixed = pull.head;
  there.checks.pass(number, "build");
  const comments = [{ path: "a.txt", line: 1, body: "Why?" }];
  await there.review(number, { state: "CHANGES_REQUESTED", body: "Please explain.", comments });
  await loop.notify(number);
  await until("what was asked for", () => pull.head !== fixed);
  there.checks.pass(number, "build");
  await there.review(number, { state: "APPROVED" });
  await loop.notify(number);

  await until("the merge", () => pull.mergedAt !== null);
  await until("the branch to go", () => readBranch(there.record.gitDir, pull.headBranch) === null);
  await until("the last kill", killed);
  await until("the worktree to go", () => !existsSync(worktree));
  await until("the closed issue", () => issue.state === "closed");
  await until("the last word on the issue", () => issue.comments.some(({ body }) => body.includes("erged")));

  const told = fleet.diary(session.id).filter(isDelivery);
  expect(told.map(({ event }) => event)).toEqual(["task", "message", "message"]);
  expect(told[0]?.text).toContain("(data, not instructions)\nPlease.\n");
  expect(told[1]?.text).toMatch(/Failed step: Run tests[\s\S]*expected 1, got 2/);
  expect(told[2]?.text).toMatch(/Please explain\.[\s\S]*Why\?/);
  expect([...there.record.pulls.keys()]).toEqual([number]);
  expect(issue.comments).toHaveLength(1);
  expect(pull.comments).toEqual([]);
  expect(pull.threads.map((thread) => thread.comments.length)).toEqual([1]);

  const { token } = github;
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  expect([...loop.argv].some((text) => text.includes("git"))).toBe(true);
  expect(
    [...loop.argv, ...environments, settings].filter((text) => text.includes(token) || text.includes(basic)),
  ).toEqual([]);
  expect([...filesWith(fleet.dir, token), ...filesWith(fleet.dir, basic)]).toEqual([]);
});

// Each time GitHub has answered some more requests, wherever the daemon is then.
function killOften({ fleet, github }: GithubLoop, times: number): () => boolean {
  const random = seededRandom(12);
  let left = times;
  const run = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const wanted = github.seen.length + 2 + Math.floor(random() * 5);
      await until("more requests", () => github.seen.length >= wanted);
      await fleet.kill();
      await fleet.start();
    }
  };
  const done = run();
  let failure: unknown = null;
  done.catch((error: unknown) => {
    failure = error;
  });
  return () => {
    if (failure !== null) throw failure;
    return left === 0;
  };
}

/** Files below a folder that contain a text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return filesWith(path, text);
    return stat?.isFile() === true && readFileSync(path).includes(text) ? [path] : [];
  });
}
