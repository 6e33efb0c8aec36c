import { expect, it } from "vitest";
import { aGitlabScmScene, type GitlabScmScene } from "../../../testing/fake-gitlab/scm-scene.ts";
import { git } from "../../../testing/git-repo.ts";
import { gitlabScm } from "./gitlab.ts";

const openScene = (): Promise<GitlabScmScene> => aGitlabScmScene(gitlabScm);

async function rerun({ remote, project }: GitlabScmScene, ref: string): Promise<void> {
  await remote.write({ project, number: 1, write: { id: "w1", about: "build", kind: "rerun", check: "build", ref } });
}

it("shows the jobs of main next to those of a merge request that failed, with their logs", async () => {
  const scene = await openScene();
  const { number, head } = await scene.open();
  const { jobs } = scene.there;
  const read = async () => (await scene.remote.readChanges(scene.project, [{ number, head }]))[0];
  jobs.end(jobs.startOn(git(scene.repo, "rev-parse", "main").trim(), "build"), "failed", { trace: "red on main" });
  jobs.pass(number, "lint");
  expect((await read())?.baseChecks).toBeUndefined();
  jobs.fail(number, { name: "build", trace: "red here" });
  const seen = await read();
  expect(seen?.baseChecks).toMatchObject([{ name: "build", state: "failed" }]);
  const [onBase] = seen?.baseChecks ?? [];
  expect(onBase === undefined ? "" : await scene.remote.readCheckLog(scene.project, onBase)).toBe("red on main");
});

it("refuses a re-run for good if the job cannot be retried, and accepts one that was retried before", async () => {
  const scene = await openScene();
  const { number } = await scene.open();
  const job = scene.there.jobs.fail(number, { name: "build" });
  const archived = scene.there.jobs.start(number, "lint");
  await expect(rerun(scene, String(archived.id))).rejects.toMatchObject({ category: "conflict" });
  await rerun(scene, String(job.id));
  await rerun(scene, String(job.id));
  expect(scene.there.record.jobs.filter(({ name }) => name === "build")).toHaveLength(2);
});

it("refuses a re-run for good with a token that may not run jobs, and waits for one that expired", async () => {
  const scene = await openScene();
  const { number } = await scene.open();
  const job = scene.there.jobs.fail(number, { name: "build" });
  scene.gitlab.faults.add({ on: /retry$/, kind: "status", status: 403 });
  await expect(rerun(scene, String(job.id))).rejects.toMatchObject({ category: "conflict" });
  scene.gitlab.faults.add({ on: /retry$/, kind: "status", status: 401 });
  await expect(rerun(scene, String(job.id))).rejects.toMatchObject({ category: "auth" });
});
