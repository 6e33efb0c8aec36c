import { expect } from "vitest";
import type { PublishRequest, RemoteForge } from "../../ports/scm.ts";
import { aMerge, aRequest, type Facts, type ScmScene } from "./scm-scene.ts";

/** How a forge opens pull requests. */
export const OPENING: Facts = {
  "opens a pull request once, however often it is called": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = aRequest(scene, { branch: "agent/a", head });
    const first = await scene.scm.ensureChange(request);
    expect(first.number).toBeGreaterThan(0);
    expect(await scene.scm.ensureChange(request)).toEqual(first);
  },
  "opens a separate pull request for every branch": async (scene) => {
    const one = await scene.commit("agent/a", { "a.txt": "1\n" });
    const other = await scene.commit("agent/b", { "b.txt": "1\n" });
    const first = await scene.scm.ensureChange(aRequest(scene, { branch: "agent/a", head: one }));
    const second = await scene.scm.ensureChange(
      aRequest(scene, { branch: "agent/b", head: other, after: first.number }),
    );
    expect(second.number).toBeGreaterThan(first.number);
  },
  "opens another pull request for a branch whose first one is merged": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const first = await scene.scm.ensureChange(aRequest(scene, { branch: "agent/a", head }));
    await scene.scm.merge(await aMerge(scene, { branch: "agent/a", head, strategy: "merge" }));
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    const second = await scene.scm.ensureChange(
      aRequest(scene, { branch: "agent/a", head: next, after: first.number }),
    );
    expect(second.number).toBeGreaterThan(first.number);
  },
  "opens none for a missing branch": async (scene) => {
    const head = (await scene.scm.readHead(scene.project, "main")) ?? "";
    await expect(scene.scm.ensureChange(aRequest(scene, { branch: "agent/gone", head }))).rejects.toThrow("agent/gone");
  },
};

async function openOnForge(
  scene: ScmScene,
): Promise<{ readonly remote: RemoteForge; readonly request: PublishRequest }> {
  const { remote } = scene.scm;
  if (remote === undefined) throw new Error("this forge is not elsewhere");
  const head = await scene.commit("agent/a", { "a.txt": "1\n" });
  const { number } = await scene.scm.ensureChange(aRequest(scene, { branch: "agent/a", head }));
  return { remote, request: { project: scene.project, number, branch: "agent/a", head, published: head } };
}

/** For remote forges only. */
export const REMOTE: Facts = {
  "shows an open pull request at the commit that was pushed": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const [seen, ...others] = await remote.readChanges(scene.project, [request, { number: 999, head: request.head }]);
    expect(seen).toMatchObject({ number: request.number, state: "open", head: request.head });
    expect(others).toEqual([]);
  },
  "opens a pull request into the branch of another one, and reports its base": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const head = await scene.commit("agent/b", { "b.txt": "1\n" }, { from: "agent/a" });
    const upper = { ...aRequest(scene, { branch: "agent/b", head, after: request.number }), base: "agent/a" };
    const { number } = await scene.scm.ensureChange(upper);
    const seen = await remote.readChanges(scene.project, [request, { number, head }]);
    const bases = new Map(seen.map((one) => [one.number, one.base]));
    expect([bases.get(request.number), bases.get(number)]).toEqual(["main", "agent/a"]);
  },
  "accepts a newer commit, and the same one again": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const head = await scene.commit("agent/a", { "a.txt": "2\n" });
    for (let time = 0; time < 2; time += 1) {
      expect(await remote.publish({ ...request, head })).toEqual({ kind: "published" });
    }
    const [seen] = await remote.readChanges(scene.project, [request]);
    expect(seen?.head).toBe(head);
  },
  "does not lose a commit that ao did not push": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const head = await scene.commit("agent/b", { "b.txt": "2\n" });
    expect(await remote.publish({ ...request, head, published: null })).toEqual({
      kind: "diverged",
      head: request.head,
    });
  },
  "keeps one status comment, edited rather than repeated, and never reads it as a review": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const { number } = request;
    for (const text of ["checks running", "checks running", "needs 1 approval"]) {
      await remote.showStatus?.(scene.project, number, text);
    }
    expect(scene.commentsOn?.(number)).toEqual([expect.stringMatching(/^needs 1 approval/)]);
    const [seen] = await remote.readChanges(scene.project, [request]);
    expect(seen?.reviews).toEqual([]);
  },
  "shows a draft as one, and marks it as ready for review": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const read = async () => (await remote.readChanges(scene.project, [request]))[0];
    expect((await read())?.isDraft).toBe(false);
    scene.makeDraft?.(request.number);
    expect(await read()).toMatchObject({ isDraft: true, blocked: null });
    await remote.write({ ...request, write: { id: "w1", about: "draft", kind: "ready" } });
    expect((await read())?.isDraft).toBe(false);
  },
  "asks a reviewer for another review once, and their request for changes counts until they approve": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const { number } = request;
    await scene.reviewers?.requestChanges(number, "reviewer");
    expect(scene.reviewers?.asked(number)).toEqual([]);
    const write = { id: "w1", about: "review", kind: "request-review", reviewer: "reviewer" } as const;
    for (let time = 0; time < 2; time += 1) await remote.write({ ...request, write });
    expect(scene.reviewers?.asked(number)).toEqual(["reviewer"]);
    const [seen] = await remote.readChanges(scene.project, [request]);
    expect(seen?.reviews).toMatchObject([{ author: "reviewer", verdict: "request-changes", isDismissed: false }]);
  },
  "opens one pull request that takes a merged one back, however often it is asked": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = await aMerge(scene, { branch: "agent/a", head });
    const { project, number } = request;
    const revert = { project, number, title: "Revert a", body: "It broke main." };
    expect(await scene.scm.revert?.(revert)).toMatchObject({ kind: "refused" });
    await scene.scm.merge(request);
    await scene.commit("main", { "later.txt": "l\n" });
    const opened = await scene.scm.revert?.(revert);
    if (opened?.kind !== "opened") throw new Error(JSON.stringify(opened));
    expect(opened.number).toBeGreaterThan(number);
    expect(await scene.scm.revert?.(revert)).toEqual(opened);
    expect((await scene.scm.merge({ ...request, ...opened, title: "Revert a" })).kind).toBe("merged");
    expect(await scene.read("main", "a.txt")).toBeNull();
    expect(await scene.read("main", "later.txt")).toBe("l\n");
  },
};
