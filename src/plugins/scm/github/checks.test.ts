import { describe, expect, it } from "vitest";
import type { Conclusion } from "../../../testing/fake-github/model.ts";
import { aGithubScmScene, type GithubScmScene } from "../../../testing/fake-github/scm-scene.ts";
import { git } from "../../../testing/git-repo.ts";
import { githubScm } from "./github.ts";

const openScene = (): Promise<GithubScmScene> => aGithubScmScene(githubScm);

async function rerun({ remote, project }: GithubScmScene, ref: string): Promise<void> {
  await remote.write({ project, number: 1, write: { id: "w1", about: "build", kind: "rerun", check: "build", ref } });
}

it("shows the checks of main next to those of a pull request, with their logs", async () => {
  const scene = await openScene();
  const { number, head } = await scene.open();
  const { checks } = scene.there;
  checks.end(checks.startOn(git(scene.repo, "rev-parse", "main").trim(), "build"), "failure", { log: "red on main" });
  checks.fail(number, { name: "build", log: "red here" });
  const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
  expect(seen?.baseChecks).toMatchObject([{ name: "build", state: "failed" }]);
  const [onBase] = seen?.baseChecks ?? [];
  expect(onBase?.ref).not.toBe(seen?.checks?.[0]?.ref);
  expect(onBase === undefined ? "" : await scene.remote.readCheckLog(scene.project, onBase)).toContain("red on main");
});

describe("checks of one name", () => {
  const PUSH = { event: "push" };

  async function aPull() {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const read = async () => (await scene.remote.readChanges(scene.project, [{ number, head }]))[0];
    return { ...scene, number, head, read, checks: scene.there.checks };
  }

  it.each<readonly [Conclusion | null, Conclusion | null, string]>([
    ["failure", "success", "failed"],
    ["success", "failure", "failed"],
    ["failure", null, "failed"],
    [null, "timed_out", "timed-out"],
    [null, "success", "running"],
    ["success", null, "running"],
    ["cancelled", null, "running"],
    ["cancelled", "success", "cancelled"],
    ["success", "skipped", "passed"],
  ])("of which one is %s and the other %s are one check that is %s", async (onPush, onPull, state) => {
    const { number, checks, read } = await aPull();
    const jobs = [checks.start(number, "build", PUSH), checks.start(number, "build")];
    for (const [at, conclusion] of [onPush, onPull].entries()) {
      const job = jobs[at];
      if (job !== undefined && conclusion !== null) checks.end(job, conclusion);
    }
    const seen = await read();
    expect(seen?.checks).toMatchObject([{ name: "build", state }]);
    expect((await read())?.checks).toEqual(seen?.checks);
  });

  it("keep their id while they run, and have the id of the one that failed", async () => {
    const { number, checks, read } = await aPull();
    const lint = checks.start(number, "build", { workflow: "Lint" });
    const build = checks.start(number, "build");
    const refOf = async (): Promise<string | undefined> => (await read())?.checks?.[0]?.ref;
    const first = await refOf();
    checks.end(lint, "success");
    expect(await refOf()).toBe(first);
    checks.end(build, "success");
    expect(await refOf()).toBe(first);
    const red = checks.fail(number, { name: "build", log: "boom" });
    checks.end(checks.start(number, "build", { workflow: "Lint" }), "success");
    expect(await refOf()).toBe(String(red.id));
  });

  it("count only in the last run of a workflow for an event", async () => {
    const { number, checks, read } = await aPull();
    checks.fail(number, { name: "build" });
    checks.pass(number, "build");
    expect((await read())?.checks).toMatchObject([{ state: "passed" }]);
  });

  it("are required once, and a commit status is one of them", async () => {
    const { number, head, checks, there, read } = await aPull();
    there.protect("main", { checks: ["build"] });
    checks.pass(number, "build");
    checks.end(checks.start(number, "build", PUSH), "success");
    const nothing = { description: null, targetUrl: null, creator: there.record.owner, createdAt: 0 };
    there.record.statuses.push({ id: 1, commit: head, context: "build", state: "failure", ...nothing });
    expect(await read()).toMatchObject({ required: ["build"], checks: [{ name: "build", state: "failed" }] });
  });

  it("are one on the base, too", async () => {
    const { repo, read, checks } = await aPull();
    const main = git(repo, "rev-parse", "main").trim();
    checks.end(checks.startOn(main, "build", PUSH), "failure");
    checks.end(checks.startOn(main, "build", { event: "schedule" }), "success");
    expect((await read())?.baseChecks).toMatchObject([{ name: "build", state: "failed" }]);
  });
});

it("waits with a re-run while other jobs of the same workflow run", async () => {
  const scene = await openScene();
  const { number } = await scene.open();
  const job = scene.there.checks.fail(number, { name: "build" });
  const other = scene.there.checks.start(number, "lint");
  Object.assign(other, { runId: job.runId });
  await expect(rerun(scene, String(job.id))).rejects.toMatchObject({ category: "unavailable" });
  scene.there.checks.end(other, "success");
  await rerun(scene, String(job.id));
  const attempts = scene.there.record.jobs.filter(({ check }) => check.name === "build").map(({ attempt }) => attempt);
  expect(attempts).toEqual([1, 2]);
});

it("runs all failed jobs of a workflow again with one request", async () => {
  const scene = await openScene();
  const { number } = await scene.open();
  const job = scene.there.checks.fail(number, { name: "build" });
  Object.assign(scene.there.checks.fail(number, { name: "lint" }), { runId: job.runId });
  await rerun(scene, String(job.id));
  const running = scene.there.record.jobs.filter(({ check }) => check.status !== "completed");
  expect(running.map(({ check }) => check.name)).toEqual(["build", "lint"]);
});

it.each<readonly [string, number, string]>([
  ["a token that may not run jobs", 403, "conflict"],
  ["a check that no workflow ran", 404, "not-found"],
])("refuses a re-run for good with %s", async (_, status, category) => {
  const scene = await openScene();
  const { number } = await scene.open();
  const job = scene.there.checks.fail(number, { name: "build" });
  scene.github.faults.add({ on: status === 404 ? /^GET .*jobs/ : /rerun/, kind: "status", status });
  await expect(rerun(scene, String(job.id))).rejects.toMatchObject({ category });
});

it("refuses a re-run of a commit status for good, and waits for a token that expired", async () => {
  const scene = await openScene();
  const { number } = await scene.open();
  await expect(rerun(scene, "SC_kwDOA")).rejects.toMatchObject({ category: "conflict" });
  const job = scene.there.checks.fail(number, { name: "build" });
  scene.github.faults.add({ on: /rerun/, kind: "status", status: 401 });
  await expect(rerun(scene, String(job.id))).rejects.toMatchObject({ category: "auth" });
});
