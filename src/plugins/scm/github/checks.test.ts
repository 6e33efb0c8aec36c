import { expect, it } from "vitest";
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
