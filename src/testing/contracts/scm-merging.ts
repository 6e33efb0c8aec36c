import { expect } from "vitest";
import type { MergeRequest } from "../../ports/scm.ts";
import { aMerge, type Facts } from "./scm-scene.ts";

/** How a forge merges. */
export const MERGING: Facts = {
  "squashes a change into one commit": async (scene) => {
    await scene.commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    const head = await scene.commit("agent/a", { "b.txt": "2\n" }, { message: "two" });
    const before = await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    const request = await aMerge(scene, { branch: "agent/a", head, title: "Add a and b" });
    const answer = await scene.scm.merge(request);
    const commit = await scene.scm.readHead(scene.project, "main");
    expect(answer).toEqual({ kind: "merged", commit, baseBefore: before });
    expect((await scene.history("main")).slice(0, 2)).toEqual([`Add a and b (#${request.number})`, "of main"]);
    expect(await scene.read("main", "a.txt")).toBe("1\n");
    expect(await scene.read("main", "b.txt")).toBe("2\n");
    expect(await scene.read("main", "m.txt")).toBe("m\n");
  },
  "merges with a merge commit": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    const answer = await scene.scm.merge(await aMerge(scene, { branch: "agent/a", head, strategy: "merge" }));
    expect(answer.kind).toBe("merged");
    expect(await scene.history("main")).toEqual(expect.arrayContaining(["one", "of main"]));
    expect((await scene.scm.readBranch(scene.project, "agent/a", "main"))?.ahead).toBe(0);
  },
  "replays a change commit by commit": async (scene) => {
    await scene.commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    const head = await scene.commit("agent/a", { "a.txt": "2\n" }, { message: "two" });
    await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    const answer = await scene.scm.merge(await aMerge(scene, { branch: "agent/a", head, strategy: "rebase" }));
    expect(answer.kind).toBe("merged");
    expect((await scene.history("main")).slice(0, 3)).toEqual(["two", "one", "of main"]);
    expect(await scene.read("main", "a.txt")).toBe("2\n");
  },
  "does not merge a branch that has moved": async (scene) => {
    const asked = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = await aMerge(scene, { branch: "agent/a", head: asked });
    const head = await scene.commit("agent/a", { "a.txt": "2\n" });
    await scene.scm.remote?.publish({ ...request, head, published: asked });
    const before = await scene.scm.readHead(scene.project, "main");
    expect(await scene.scm.merge(request)).toEqual({ kind: "moved", head });
    if (scene.scm.remote === undefined) {
      expect(await scene.scm.merge({ ...request, branch: "agent/gone" })).toEqual({ kind: "moved", head: null });
    }
    expect(await scene.scm.readHead(scene.project, "main")).toBe(before);
  },
  "does not merge a conflict, with any strategy, and names the files": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "mine\n" });
    const before = await scene.commit("main", { "a.txt": "theirs\n" });
    for (const strategy of ["squash", "merge", "rebase"] as const) {
      const answer = await scene.scm.merge(await aMerge(scene, { branch: "agent/a", head, strategy }));
      expect(answer).toEqual({ kind: "conflict", files: ["a.txt"] });
    }
    expect(await scene.scm.readHead(scene.project, "main")).toBe(before);
  },
  "merges once, however often it is called": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = await aMerge(scene, { branch: "agent/a", head });
    const first = await scene.scm.merge(request);
    const again = await scene.scm.merge(request);
    expect(again).toEqual(first);
    await scene.commit("main", { "later.txt": "l\n" }, { message: "later" });
    expect(await scene.scm.merge(request)).toEqual(first);
    expect(
      (await scene.history("main")).filter((subject) => subject.endsWith(`(${scene.sigil ?? "#"}${request.number})`)),
    ).toHaveLength(1);
  },
  "reports afterwards whether exactly this head was merged": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = await aMerge(scene, { branch: "agent/a", head });
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
    const value = await scene.scm.merge(request);
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "done", value });
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    expect(await scene.scm.reconcileMerge({ ...request, head: next })).toEqual({ kind: "not-done" });
  },
  "merges several concurrent changes one after another": async (scene) => {
    const requests: MergeRequest[] = [];
    for (const branch of ["agent/a", "agent/b", "agent/c", "agent/d"]) {
      const head = await scene.commit(branch, { [`${branch}.txt`]: "x\n" });
      requests.push(await aMerge(scene, { branch, head, title: `Change ${branch}` }));
    }
    const answers = await Promise.all(requests.map((request) => scene.scm.merge(request)));
    expect(answers.map(({ kind }) => kind)).toEqual(["merged", "merged", "merged", "merged"]);
    for (const { branch } of requests) expect(await scene.read("main", `${branch}.txt`)).toBe("x\n");
    expect((await scene.history("main")).filter((subject) => /\([#!]\d\)$/.test(subject))).toHaveLength(4);
  },
  "deletes a branch only at the commit it was seen at": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    await scene.scm.merge(await aMerge(scene, { branch: "agent/a", head }));
    const other = await scene.scm.readHead(scene.project, "main");
    expect((await scene.scm.deleteBranch(scene.project, "agent/a", other ?? "")).deleted).toBe(false);
    expect(await scene.scm.readHead(scene.project, "agent/a")).toBe(head);
    expect((await scene.scm.deleteBranch(scene.project, "agent/a", head)).deleted).toBe(true);
    expect(await scene.scm.readHead(scene.project, "agent/a")).toBeNull();
    expect((await scene.scm.deleteBranch(scene.project, "agent/a", head)).deleted).toBe(true);
  },
  "never deletes the default branch": async (scene) => {
    const head = (await scene.scm.readHead(scene.project, "main")) ?? "";
    expect((await scene.scm.deleteBranch(scene.project, "main", head)).deleted).toBe(false);
  },
};
