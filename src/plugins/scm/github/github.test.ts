import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { MergeRequest } from "../../../ports/scm.ts";
import { commandLines } from "../../../testing/command-lines.ts";
import { describeScmContract } from "../../../testing/contracts/scm.contract.ts";
import { aGithubScmScene, type GithubScmScene } from "../../../testing/fake-github/scm-scene.ts";
import { git } from "../../../testing/git-repo.ts";
import { githubScm } from "./github.ts";

const openScene = (): Promise<GithubScmScene> => aGithubScmScene(githubScm);

describeScmContract({ name: "github", create: openScene, isRemote: true, claims: true, runsChecks: false });

function aMerge(scene: GithubScmScene, facts: Pick<MergeRequest, "number" | "head">): MergeRequest {
  return {
    project: scene.project,
    branch: "agent/a",
    base: "main",
    strategy: "squash",
    title: "Add a",
    body: "",
    ...facts,
  };
}

/** Tokens of an installation, in clear and as git sends them, and private keys. */
const SECRETS = /ghs_fake|eC1hY2Nlc3MtdG9rZW4|PRIVATE KEY/;
const BOB = { id: 99, login: "bob", type: "User" } as const;

describe("the scm github", () => {
  it("keeps the token out of the repository's settings", async () => {
    const scene = await openScene();
    await scene.open();
    expect(git(scene.repo, "config", "--list")).not.toMatch(/ghp_|x-access-token|extraheader/i);
  });

  it("keeps the key and the tokens of a GitHub App out of arguments, settings and errors", async () => {
    const scene = await aGithubScmScene(githubScm, {}, true);
    const seen = new Set<string>();
    scene.github.faults.watch((request) => {
      if (request.includes("git-")) for (const line of commandLines()) seen.add(line);
    });
    await scene.open();
    scene.github.faults.add({ on: /git-receive-pack/, kind: "status", status: 403, times: 9 });
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    const request = { project: scene.project, number: 1, branch: "agent/a", head: next, published: null };
    const error = await scene.remote.publish(request).catch((thrown: unknown) => thrown);
    expect([...seen].some((line) => line.includes("git-remote-http"))).toBe(true);
    expect([...seen, git(scene.repo, "config", "--list"), inspect(error)].join("\n")).not.toMatch(SECRETS);
  });

  it("reads a red check with the failed step and the log", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    scene.there.checks.fail(number, { name: "build", step: "Run tests", log: "expected 1, got 2" });
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    const check = seen?.checks?.[0];
    expect(check).toMatchObject({ name: "build", state: "failed" });
    const log = check === undefined ? "" : await scene.remote.readCheckLog(scene.project, check);
    expect(log).toContain("Failed step: Run Run tests");
    expect(log).toContain("expected 1, got 2");
  });

  it("does not treat a commit without checks as green right after the push", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen).toMatchObject({ state: "open", head, checks: null });
  });

  it("reads reviews with their threads, and recognizes its own reply", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const comments = [{ path: "a.txt", line: 1, body: "Why?" }];
    await scene.there.review(number, { state: "CHANGES_REQUESTED", body: "Please explain.", comments });
    const read = async () => (await scene.remote.readChanges(scene.project, [{ number, head }]))[0]?.reviews ?? [];
    const [review] = await read();
    expect(review).toMatchObject({ verdict: "request-changes", body: "Please explain.", head });
    const thread = review?.threads[0];
    expect(thread).toMatchObject({
      path: "a.txt",
      line: 1,
      resolvedBy: null,
      comments: [{ text: "Why?", byAgent: false }],
    });
    const reply = {
      id: "w1",
      about: thread?.id ?? "",
      threadId: thread?.id ?? "",
      commentId: "t1.2",
      author: "demo-1",
    };
    const write = { kind: "reply", text: "Done.", ...reply } as const;
    for (let time = 0; time < 2; time += 1) await scene.remote.write({ project: scene.project, number, write });
    const after = (await read()).find(({ id }) => id === review?.id)?.threads[0]?.comments;
    expect(after).toHaveLength(2);
    expect(after?.[1]).toMatchObject({ id: "t1.2", byAgent: true });
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
    expect(await scene.remote.publish({ ...request, head: next, published: rewritten })).toEqual({
      kind: "diverged",
      head: theirs,
    });
  });

  it("merges exactly the given commit, once", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const other = aMerge(scene, { number, head: "0".repeat(40) });
    expect(await scene.scm.merge(other)).toEqual({ kind: "moved", head });
    const request = aMerge(scene, { number, head });
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
    const answer = await scene.scm.merge(request);
    expect(answer).toMatchObject({ kind: "merged", commit: await scene.scm.readHead(scene.project, "main") });
    expect(await scene.scm.merge(request)).toMatchObject({ kind: "merged" });
    expect(await scene.scm.reconcileMerge(request)).toMatchObject({ kind: "done", value: { kind: "merged" } });
  });

  it("sees that a person closed a pull request, and reopened it", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const read = async () => (await scene.remote.readChanges(scene.project, [{ number, head }]))[0];
    await scene.there.closePull(number, "ann");
    expect(await read()).toMatchObject({ state: "closed", head, mergeCommit: null });
    scene.there.pull(number).state = "open";
    expect(await read()).toMatchObject({ state: "open", head });
  });

  it("sees what people merge, and fetches the new base", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    const commit = await scene.there.merge(number, { by: "ann" });
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen).toMatchObject({ state: "merged", by: "ann", mergeCommit: commit, baseHead: commit });
    expect(await scene.scm.readHead(scene.project, "main")).toBe(commit);
  });

  it("tells which branches are protected there", async () => {
    const scene = await openScene();
    await scene.open();
    scene.there.protect("main", {});
    const ask = (branch: string) => scene.remote.isProtected?.(scene.project, branch);
    expect([await ask("main"), await ask("agent/a"), await ask("no/such")]).toEqual([true, false, false]);
  });

  it("reports that the rules of the base branch are not met", async () => {
    const scene = await openScene();
    scene.there.protect("main", { approvals: 1 });
    const { number, head } = await scene.open();
    const [seen] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(seen?.blocked).toBe("the rules of the base branch on GitHub are not met");
    expect(await scene.scm.merge(aMerge(scene, { number, head }))).toMatchObject({ kind: "waits" });
    Object.assign(scene.there.pull(number), { autoMerge: { by: { ...BOB }, method: "squash" } });
    const [later] = await scene.remote.readChanges(scene.project, [{ number, head }]);
    expect(later?.blocked).toBe(`${seen?.blocked}; auto-merge by bob merges it once they are`);
  });

  it("writes labels and closing, and re-runs a job", async () => {
    const scene = await openScene();
    const { number } = await scene.open();
    const job = scene.there.checks.fail(number, { name: "build" });
    const write = (facts: object) =>
      scene.remote.write({ project: scene.project, number, write: { id: "w1", about: "x", ...facts } as never });
    await write({ kind: "label", add: ["later"], remove: ["gone"] });
    expect(scene.there.pull(number).labels.map(({ name }) => name)).toEqual(["later"]);
    await write({ kind: "rerun", check: "build", ref: String(job.id) });
    await write({ kind: "close" });
    expect(scene.there.pull(number).state).toBe("closed");
  });

  it("opens drafts if configured, once, and only marks its own as ready", async () => {
    const scene = await aGithubScmScene(githubScm, { drafts: true });
    scene.github.faults.add({ on: /^POST .*pulls$/, kind: "lost-answer" });
    await expect(scene.open()).rejects.toMatchObject({ category: "unknown-outcome" });
    const head = (await scene.scm.readHead(scene.project, "agent/a")) ?? "";
    const request = {
      project: scene.project,
      branch: "agent/a",
      base: "main",
      head,
      title: "Add a",
      body: "",
      after: 0,
    };
    const opened = await scene.scm.ensureChange(request);
    expect(opened).toMatchObject({ isDraft: true });
    expect([...scene.there.record.pulls.values()]).toMatchObject([{ number: opened.number, isDraft: true }]);
    expect(await scene.scm.merge(aMerge(scene, { number: opened.number, head }))).toMatchObject({
      kind: "waits",
      reason: expect.stringContaining("draft"),
    });
  });

  it("has no status comment if the configuration turns it off", async () => {
    const scene = await aGithubScmScene(githubScm, { statusComment: false });
    expect(scene.remote.showStatus).toBeUndefined();
  });

  it("does not mistake a fork's pull request for the one that reverts", async () => {
    const scene = await openScene();
    const { number, head } = await scene.open();
    await scene.scm.merge(aMerge(scene, { number, head }));
    const body = `Mine.\n\n<!-- ao:revert-${number} -->`;
    const trap = await scene.others?.openFromFork({ title: "Trap", branch: "agent/a", commit: head });
    scene.there.pull(trap ?? 0).body = body;
    const revert = { project: scene.project, number, title: "Revert a", body: "" };
    expect(await scene.scm.revert?.(revert)).toMatchObject({ kind: "opened", branch: `revert-${number}-agent/a` });
  });
});
