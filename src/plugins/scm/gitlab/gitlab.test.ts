import { describe, expect, it } from "vitest";
import type { MergeRequest } from "../../../ports/scm.ts";
import { describeScmContract } from "../../../testing/contracts/scm.contract.ts";
import { aGitlabScmScene, type GitlabScmScene } from "../../../testing/fake-gitlab/scm-scene.ts";
import { git } from "../../../testing/git-repo.ts";
import { gitlabScm } from "./gitlab.ts";

const openScene = (): Promise<GitlabScmScene> => aGitlabScmScene(gitlabScm);

describeScmContract({
  name: "gitlab",
  create: openScene,
  isRemote: true,
  claims: true,
  runsChecks: false,
  skip: [
    { test: "squashes a change into one commit", reason: "GitLab adds a merge commit; see below" },
    { test: "replays a change commit by commit", reason: "only with other merge methods; see below" },
  ],
});

function aMerge(scene: GitlabScmScene, facts: Pick<MergeRequest, "number" | "head"> & Partial<MergeRequest>) {
  const wanted = { branch: "agent/a", base: "main", strategy: "squash", title: "Add a", body: "" } as const;
  return { project: scene.project, ...wanted, ...facts };
}

describe("the scm gitlab", () => {
  it("keeps the token out of the repository's settings", async () => {
    const scene = await openScene();
    await scene.open();
    expect(git(scene.repo, "config", "--list")).not.toMatch(/glpat|oauth2|extraheader/i);
  });

  it("reads a red job with the failed command and the log", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const trace =
      "section_start:1700000000:step_script\r\u001b[0K$ npm test\n\u001b[31;1mexpected 1, got 2\u001b[0;m\n";
    scene.there.jobs.fail(number, { name: "build", trace });
    scene.there.jobs.fail(number, { name: "flaky", allowFailure: true });
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen?.checks).toMatchObject([
      { name: "build", state: "failed" },
      { name: "flaky", state: "passed" },
    ]);
    const check = seen?.checks?.[0];
    const log = check === undefined ? "" : await scene.remote.readCheckLog(scene.project, check);
    expect(log).toBe("Failed step: $ npm test\n\n$ npm test\nexpected 1, got 2");
  });

  it("tells which branches are protected there", async () => {
    const scene = await openScene();
    await scene.open();
    const ask = (branch: string) => scene.remote.isProtected?.(scene.project, branch);
    expect([await ask("main"), await ask("agent/a"), await ask("no/such")]).toEqual([true, false, false]);
  });

  it("opens drafts if configured, once, and does not merge them", async () => {
    const scene = await aGitlabScmScene(gitlabScm, { drafts: true });
    scene.gitlab.faults.add({ on: /^POST .*merge_requests$/, kind: "lost-answer" });
    await expect(scene.open()).rejects.toMatchObject({ category: "unknown-outcome" });
    const { number, head, request } = await scene.open();
    expect(await scene.scm.ensureChange(request)).toMatchObject({ number, isDraft: true });
    expect([...scene.there.record.mergeRequests.values()]).toMatchObject([{ iid: number, title: "Draft: Add a" }]);
    const waits = { kind: "waits", reason: "it is a draft", files: [] };
    expect(await scene.scm.merge(aMerge(scene, { number, head }))).toEqual(waits);
  });

  it("does not treat a commit without jobs as green right after the push", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen).toMatchObject({ state: "open", head, checks: null });
  });

  it("names the jobs that GitLab requires, and what else blocks the merge", async () => {
    const scene = await openScene();
    scene.there.set({ pipelineMustSucceed: true, approvalsRequired: 1 });
    const { number, head } = await scene.open();
    scene.there.jobs.pass(number, "build");
    scene.there.jobs.fail(number, { name: "flaky", allowFailure: true });
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen).toMatchObject({ required: ["build"], blocked: "needs 1 more approval on GitLab (All Members)" });
    const answer = await scene.scm.merge(aMerge(scene, { number, head }));
    expect(answer).toEqual({ kind: "waits", reason: "it lacks approvals that GitLab requires", files: [] });
  });

  it("pushes a newer commit, even a rewritten one, but not over what a person pushed", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    git(scene.repo, "update-ref", "refs/heads/agent/a", "main");
    const rewritten = await scene.commit("agent/a", { "a.txt": "2\n" });
    const request = { project: scene.project, number, branch: "agent/a" };
    expect(await scene.remote.publish({ ...request, head: rewritten, published: head })).toEqual({ kind: "published" });
    const theirs = await scene.commit("side", { "b.txt": "b\n" });
    await scene.pushAsPerson("agent/a", theirs);
    const next = await scene.commit("agent/a", { "a.txt": "3\n" });
    const answer = await scene.remote.publish({ ...request, head: next, published: rewritten });
    expect(answer).toEqual({ kind: "diverged", head: theirs });
  });

  it("reads and re-runs the jobs of a fork, or shows only its pipeline if the fork hides them", async () => {
    const scene = await openScene();
    const { gitlab, there, project, remote } = scene;
    const commit = await scene.commit("made-elsewhere", { "b.txt": "1\n" });
    const number = (await scene.others?.openFromFork({ title: "Add b", branch: "b", commit })) ?? 0;
    const read = async () => (await remote.readChanges(project, [{ number, head: commit }]))[0]?.checks ?? [];
    there.jobs.fail(number, { name: "build", trace: "$ npm test\nexpected 1, got 2" });
    const [check] = await read();
    expect(check).toMatchObject({ name: "build", state: "failed" });
    expect(check === undefined ? null : await remote.readCheckLog(project, check)).toContain("expected 1, got 2");
    const write = { id: "w1", about: "x", kind: "rerun", check: "build", ref: check?.ref ?? "" } as const;
    await remote.write({ project, number, write });
    expect(await read()).toMatchObject([{ name: "build", state: "running" }]);
    gitlab.faults.add({ on: /^GET \/projects\/\d+\/.*statuses/, kind: "status", status: 403 });
    expect(await read()).toMatchObject([{ name: "pipeline", state: "running" }]);
  });

  it("sees what people merge, and fetches the new base", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    await scene.remote.readChanges(scene.project, [{ number, head }]);
    const commit = await scene.there.merge(number, { by: "ann" });
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen).toMatchObject({ state: "merged", by: "ann", mergeCommit: commit, baseHead: commit });
    expect(await scene.scm.readHead(scene.project, "main")).toBe(commit);
  });

  it("writes labels and closing, and re-runs a job once", async () => {
    const scene = await openScene();
    const { number } = await scene.open();
    const job = scene.there.jobs.fail(number, { name: "build" });
    const write = (facts: object) =>
      scene.remote.write({ project: scene.project, number, write: { id: "w1", about: "x", ...facts } as never });
    await write({ kind: "label", add: ["later"], remove: ["gone"] });
    expect(scene.there.mergeRequest(number).labels.map(({ name }) => name)).toEqual(["later"]);
    for (let time = 0; time < 2; time += 1) await write({ kind: "rerun", check: "build", ref: String(job.id) });
    expect(scene.there.record.jobs.filter(({ name }) => name === "build")).toHaveLength(2);
    await write({ kind: "close" });
    expect(scene.there.mergeRequest(number).state).toBe("closed");
  });
});

describe("a merge on GitLab", () => {
  it("squashes into one commit below GitLab's merge commit", async () => {
    const scene = await openScene();
    const before = await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    await scene.commit("agent/a", { "a.txt": "0\n" }, { message: "first try" });
    const { number, head } = await scene.open();
    const answer = await scene.scm.merge(aMerge(scene, { number, head }));
    const commit = await scene.scm.readHead(scene.project, "main");
    expect(answer).toEqual({ kind: "merged", commit, baseBefore: before });
    expect(await scene.history("main")).not.toContain("first try");
    expect(git(scene.repo, "log", "--first-parent", "--format=%s", "-2", commit ?? "")).toBe("Add a (!1)\nof main\n");
  });

  it("merges exactly the requested commit, once", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const other = aMerge(scene, { number, head: "0".repeat(40) });
    expect(await scene.scm.merge(other)).toEqual({ kind: "moved", head });
    const request = aMerge(scene, { number, head });
    const answer = await scene.scm.merge(request);
    expect(answer).toMatchObject({ kind: "merged", commit: await scene.scm.readHead(scene.project, "main") });
    expect(await scene.scm.merge(request)).toEqual(answer);
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "done", value: answer });
  });

  it("puts each commit on the base if the project merges by fast-forward, and waits for a rebase", async () => {
    const scene = await openScene();
    scene.there.set({ mergeMethod: "ff" });
    const before = await scene.scm.readHead(scene.project, "main");
    await scene.commit("agent/a", { "a.txt": "0\n" }, { message: "first try" });
    const { number, head } = await scene.open();
    const request = aMerge(scene, { number, head, strategy: "rebase" });
    expect(await scene.scm.merge({ ...request, strategy: "merge" })).toEqual({
      kind: "waits",
      reason: "the project on GitLab does not allow merges by merge, but by squash or rebase",
      files: [],
    });
    expect(await scene.scm.merge(request)).toEqual({ kind: "merged", commit: head, baseBefore: before });
    expect((await scene.history("main")).slice(0, 2)).toEqual(["Add a", "first try"]);

    const behind = await scene.commit("agent/b", { "b.txt": "1\n" }, { from: before ?? "" });
    const change = { project: scene.project, branch: "agent/b", base: "main", head: behind, title: "Add b", body: "" };
    const { number: next } = await scene.scm.ensureChange({ ...change, after: number });
    expect(await scene.scm.merge({ ...change, number: next, strategy: "rebase" })).toEqual({
      kind: "waits",
      reason: "GitLab requires a rebase onto the base",
      files: [],
    });
  });
});
