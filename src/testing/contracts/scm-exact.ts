import { expect } from "vitest";
import { aMerge, type Facts, type ScmScene } from "./scm-scene.ts";

async function aPair(scene: ScmScene): Promise<readonly Awaited<ReturnType<typeof aMerge>>[]> {
  const one = await scene.commit("agent/a", { "a.txt": "1\n" });
  const two = await scene.commit("agent/b", { "b.txt": "2\n" });
  const first = await aMerge(scene, { branch: "agent/a", head: one });
  const { number } = await scene.scm.ensureChange({ ...first, branch: "agent/b", head: two, after: first.number });
  return [first, { ...first, number, branch: "agent/b", head: two, strategy: "merge" }];
}

/** How a forge builds merges in advance, for those that can. */
export const EXACT: Facts = {
  "builds merges on top of one another, and moves nothing": async (scene) => {
    const requests = await aPair(scene);
    const base = (await scene.scm.readHead(scene.project, "main")) ?? "";
    const answer = await scene.scm.buildMerges?.(requests, { base, batch: 1 });
    expect(answer?.conflicts).toEqual([]);
    expect(answer?.built.map(({ isHeadTree }) => isHeadTree)).toEqual([true, false]);
    expect(await scene.scm.readHead(scene.project, "main")).toBe(base);
  },
  "builds the same commits again for the same request, whatever the time": async (scene) => {
    const [first, second] = await aPair(scene);
    if (first === undefined || second === undefined) return;
    const base = (await scene.scm.readHead(scene.project, "main")) ?? "";
    const requests = [first, { ...second, strategy: "rebase" } as const].map((one) => ({ ...one, requestedAt: 1000 }));
    const builds = [1, 2].map((batch) => scene.scm.buildMerges?.(requests, { base, batch }));
    const [one, other] = await Promise.all(builds);
    expect(one?.built).toHaveLength(2);
    expect(other).toEqual(one);
  },
  "keeps what it built until its batch is over": async (scene) => {
    const requests = await aPair(scene);
    const base = (await scene.scm.readHead(scene.project, "main")) ?? "";
    const { built = [] } = (await scene.scm.buildMerges?.(requests, { base, batch: 3 })) ?? {};
    await scene.collectGarbage?.();
    for (const { commit } of built) expect(await scene.scm.hasCommit(scene.project, commit)).toBe(true);
    await scene.scm.releaseBatch?.(scene.project, 3);
    await scene.scm.releaseBatch?.(scene.project, 3);
    await scene.collectGarbage?.();
    if (scene.collectGarbage === undefined) return;
    for (const { commit } of built) expect(await scene.scm.hasCommit(scene.project, commit)).toBe(false);
    const [request] = requests;
    if (request === undefined) return;
    const exact = { base, commit: built[0]?.commit ?? "" };
    expect(await scene.scm.merge({ ...request, exact })).toEqual({ kind: "lost" });
    expect(await scene.scm.readHead(scene.project, "main")).toBe(base);
  },
  "lists the commits added to the base since a branch left it": async (scene) => {
    const requests = await aPair(scene);
    const since = [await scene.commit("main", { "m.txt": "1\n" }), await scene.commit("main", { "m.txt": "2\n" })];
    const answer = await scene.scm.buildMerges?.(requests.slice(0, 1), { base: since[1] ?? "", batch: 1 });
    expect(answer?.built).toMatchObject([{ isHeadTree: false, since }]);
  },
  "builds up to the first conflict, and names its files": async (scene) => {
    const requests = await aPair(scene);
    const base = await scene.commit("main", { "b.txt": "other\n" });
    const answer = await scene.scm.buildMerges?.(requests, { base, batch: 1 });
    expect(answer?.built).toHaveLength(1);
    expect(answer?.conflicts).toEqual(["b.txt"]);
  },
  "merges exactly what was built, one after another": async (scene) => {
    const requests = await aPair(scene);
    const base = (await scene.scm.readHead(scene.project, "main")) ?? "";
    const { built = [] } = (await scene.scm.buildMerges?.(requests, { base, batch: 1 })) ?? {};
    let before = base;
    for (const [index, request] of requests.entries()) {
      const exact = { base: before, commit: built[index]?.commit ?? "" };
      const merged = { kind: "merged", commit: exact.commit, baseBefore: before };
      expect(await scene.scm.merge({ ...request, exact })).toEqual(merged);
      expect(await scene.scm.reconcileMerge({ ...request, exact })).toEqual({ kind: "done", value: merged });
      before = exact.commit;
    }
    expect(await scene.scm.readHead(scene.project, "main")).toBe(before);
    expect(await scene.read("main", "b.txt")).toBe("2\n");
  },
  "does not merge what was built on a base that moved": async (scene) => {
    const [request] = await aPair(scene);
    if (request === undefined) return;
    const base = (await scene.scm.readHead(scene.project, "main")) ?? "";
    const { built = [] } = (await scene.scm.buildMerges?.([request], { base, batch: 1 })) ?? {};
    const head = await scene.commit("main", { "m.txt": "m\n" });
    const exact = { base, commit: built[0]?.commit ?? "" };
    expect(await scene.scm.merge({ ...request, exact })).toEqual({ kind: "base-moved", head });
    expect(await scene.scm.readHead(scene.project, "main")).toBe(head);
  },
  "reverts a merge with one commit, once": async (scene) => {
    const [request] = await aPair(scene);
    if (request === undefined) return;
    const merged = await scene.scm.merge(request);
    if (merged.kind !== "merged") throw new Error(merged.kind);
    await scene.commit("main", { "later.txt": "l\n" });
    const revert = { ...request, merged, check: "e2e" };
    const answer = await scene.scm.revertMerge?.(revert);
    expect(answer).toEqual({ kind: "reverted", commit: await scene.scm.readHead(scene.project, "main") });
    expect(await scene.read("main", "a.txt")).toBeNull();
    expect(await scene.read("main", "later.txt")).toBe("l\n");
    expect(await scene.scm.revertMerge?.(revert)).toEqual(answer);
  },
  "does not revert a merge that later changes build on": async (scene) => {
    const [request] = await aPair(scene);
    if (request === undefined) return;
    const merged = await scene.scm.merge(request);
    if (merged.kind !== "merged") throw new Error(merged.kind);
    const head = await scene.commit("main", { "a.txt": "1\nand more\n" });
    const answer = await scene.scm.revertMerge?.({ ...request, merged, check: "e2e" });
    expect(answer).toEqual({ kind: "not-reverted", reason: "Later changes in a.txt build on it." });
    expect(await scene.scm.readHead(scene.project, "main")).toBe(head);
  },
};
