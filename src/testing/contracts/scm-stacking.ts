import { expect } from "vitest";
import { aMerge, type Facts, type ScmScene } from "./scm-scene.ts";

interface Stack {
  /** The commit of the lower branch that was merged, and that of the upper one. */
  readonly landed: string;
  readonly head: string;
  /** The commit of main with the lower branch squashed. */
  readonly baseHead: string;
}

/** A branch on another one, which was squashed into main; both write the same file. */
async function aStack(scene: ScmScene): Promise<Stack> {
  await scene.commit("agent/lower", { "a.txt": "1\n" });
  const landed = await scene.commit("agent/lower", { "a.txt": "2\n", "b.txt": "lower\n" });
  const head = await scene.commit("agent/upper", { "a.txt": "3\n" }, { from: "agent/lower", message: "upper" });
  const merged = await scene.scm.merge(await aMerge(scene, { branch: "agent/lower", head: landed }));
  if (merged.kind !== "merged") throw new Error(merged.kind);
  return { landed, head, baseHead: merged.commit };
}

/** How a forge that merges here handles the branch of a pull request that was stacked on a merged one. */
export const STACKING: Facts = {
  "finds where the own commits of a stacked branch start": async (scene) => {
    const { landed, head, baseHead } = await aStack(scene);
    const { scm, project } = scene;
    expect(await scm.findOwnStart(project, { head, baseHead, landed })).toBe(landed);
    expect(await scm.diff(project, head, landed)).not.toContain("b.txt");
    const later = await scene.commit("agent/upper", { "c.txt": "c\n" });
    expect(await scm.findOwnStart(project, { head: later, baseHead, landed })).toBe(landed);
  },
  "finds no such start for a branch that begins at the base": async (scene) => {
    const { landed, baseHead } = await aStack(scene);
    const head = await scene.commit("agent/rebased", { "a.txt": "3\n" });
    expect(await scene.scm.findOwnStart(scene.project, { head, baseHead, landed })).toBeNull();
  },
  "tries only the own changes of a stacked branch": async (scene) => {
    const { landed, head, baseHead } = await aStack(scene);
    const { scm, project } = scene;
    expect((await scm.tryMerge(project, { head, baseHead })).kind).toBe("conflict");
    expect(await scm.tryMerge(project, { head, baseHead, startsAfter: landed })).toEqual({ kind: "clean" });
    const moved = await scene.commit("main", { "a.txt": "other\n" });
    expect(await scm.tryMerge(project, { head, baseHead: moved, startsAfter: landed })).toEqual({
      kind: "conflict",
      files: ["a.txt"],
    });
  },
  ...Object.fromEntries(
    (["squash", "merge", "rebase"] as const).map((strategy) => [
      `merges only the own changes of a stacked branch: ${strategy}`,
      async (scene: ScmScene) => {
        const { landed, head } = await aStack(scene);
        const request = await aMerge(scene, { branch: "agent/upper", head, strategy, startsAfter: landed });
        const base = await scene.commit("main", { "b.txt": "later\n" });
        const { built = [], conflicts } = (await scene.scm.buildMerges?.([request], { base, batch: 1 })) ?? {};
        expect(conflicts).toEqual([]);
        const exact = { base, commit: built[0]?.commit ?? "" };
        expect((await scene.scm.merge({ ...request, exact })).kind).toBe("merged");
        expect(await scene.read("main", "a.txt")).toBe("3\n");
        expect(await scene.read("main", "b.txt")).toBe("later\n");
        const [newest] = await scene.history("main");
        expect(newest).toBe(strategy === "rebase" ? "upper" : "Merge agent/upper (#2)");
      },
    ]),
  ),
};
