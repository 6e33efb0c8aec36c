import { expect } from "vitest";
import type { ForgeClaims, RemoteForge } from "../../ports/scm.ts";
import { git } from "../git-repo.ts";
import { aRequest, type Facts, type ForgeOthers, type ScmScene } from "./scm-scene.ts";

const BRANCH = "feature/search";

interface Foreign {
  readonly remote: RemoteForge;
  readonly claims: ForgeClaims;
  readonly others: ForgeOthers;
  readonly number: number;
  readonly head: string;
}

/** A pull request that bob opened for a branch that exists only on the forge. */
async function openForeign(scene: ScmScene): Promise<Foreign> {
  const { others } = scene;
  const { remote } = scene.scm;
  if (remote?.claims === undefined || others === undefined) throw new Error("nothing can be claimed on this forge");
  const head = await scene.commit("made-elsewhere", { "search.txt": "1\n" });
  await others.push(BRANCH, head);
  const number = await others.open({ title: "Add search", body: "More.", branch: BRANCH, by: "bob" });
  return { remote, claims: remote.claims, others, number, head };
}

/** For forges on which other people's pull requests can be claimed. */
export const CLAIMING: Facts = {
  "uses the pull request that the agent opened for its branch instead of opening a second one": async (scene) => {
    const { others, remote } = await openForeign(scene);
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    await others.push("agent/a", head);
    const number = await others.open({ title: "By the agent", body: "", branch: "agent/a", by: "octo" });
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    const request = aRequest(scene, { branch: "agent/a", head: next });
    expect(await scene.scm.ensureChange(request)).toMatchObject({ number });
    expect(await remote.readChanges(scene.project, [{ number, head: next }])).toMatchObject([{ head: next }]);
  },
  "publishes a local pull request under the forge's next number, and once even if the answer is lost": async (
    scene,
  ) => {
    const { remote, number: taken } = await openForeign(scene);
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = aRequest(scene, { branch: "agent/a", head, after: 7 });
    const published = await scene.scm.ensureChange(request);
    expect(published).toMatchObject({ number: taken + 1, url: expect.stringMatching(/^http.*octo\/demo/) });
    expect(await scene.scm.ensureChange(request)).toEqual(published);
    const { number } = published;
    expect(await remote.readChanges(scene.project, [{ number, head }])).toMatchObject([
      { number, head, state: "open" },
    ]);
  },
  "fetches the branch of a claimed pull request under its own name, and then its newer commits": async (scene) => {
    const { remote, claims, number, head } = await openForeign(scene);
    expect(await claims.find(scene.project, number)).toEqual({
      ...{ number, url: expect.stringMatching(/^http.*octo\/demo/), title: "Add search", body: "More." },
      ...{ author: "bob", branch: BRANCH, base: "main", state: "open", isFork: false },
    });
    for (let time = 0; time < 2; time += 1) expect(await claims.fetchBranch(scene.project, BRANCH)).toBe(head);
    expect(await scene.scm.readHead(scene.project, BRANCH)).toBe(head);
    const next = await scene.commit(BRANCH, { "search.txt": "2\n" });
    const request = { project: scene.project, number, branch: BRANCH, head: next, published: head };
    expect(await remote.publish(request)).toEqual({ kind: "published" });
    const seen = await remote.readChanges(scene.project, [{ number, head: next }]);
    expect(seen).toMatchObject([{ state: "open", head: next }]);
  },
  "leaves a local branch alone that is checked out or has commits the forge lacks": async (scene) => {
    const { claims } = await openForeign(scene);
    const fetch = (): Promise<string> => claims.fetchBranch(scene.project, BRANCH);
    await fetch();
    const own = await scene.commit(BRANCH, { "own.txt": "1\n" });
    await expect(fetch()).rejects.toMatchObject({ message: expect.stringMatching(/has commits that \w+ lacks/) });
    expect(await scene.scm.readHead(scene.project, BRANCH)).toBe(own);
    git(scene.project.path, "switch", "-q", BRANCH);
    await expect(fetch()).rejects.toMatchObject({ message: expect.stringContaining("is checked out in") });
  },
  "recognizes a pull request that is closed, merged, missing or from a fork": async (scene) => {
    const { claims, others, number, head: commit } = await openForeign(scene);
    const find = (which: number) => claims.find(scene.project, which);
    const fromFork = await others.openFromFork({ title: "Add search", branch: BRANCH, commit });
    expect(await find(fromFork)).toMatchObject({
      ...{ isFork: true, forkName: "bob/demo", branch: BRANCH, authorAccess: "none" },
      ...{ maintainersMayEdit: false, ref: expect.stringMatching(`^refs/.*/${fromFork}/head$`) },
    });
    await others.close(number);
    expect(await find(number)).toMatchObject({ state: "closed" });
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const { number: second } = await scene.scm.ensureChange(aRequest(scene, { branch: "agent/a", head }));
    await others.merge(second);
    expect(await find(second)).toMatchObject({ state: "merged" });
    expect(await find(999)).toBeNull();
  },
  "opens a pull request for a branch even if a fork has one with the same name": async (scene) => {
    const { others } = await openForeign(scene);
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const number = await others.openFromFork({ title: "Add a", branch: "agent/a", commit: head });
    const request = aRequest(scene, { branch: "agent/a", head });
    expect((await scene.scm.ensureChange(request)).number).toBeGreaterThan(number);
  },
  "pushes to the fork of a claimed pull request while its author allows it, and never to its own branch of that name":
    async (scene) => {
      const { claims, others, remote, head: ours } = await openForeign(scene);
      const { project } = scene;
      const head = await scene.commit("made-in-a-fork", { "fork.txt": "1\n" });
      const number = await others.openFromFork({ title: "Add search", branch: BRANCH, commit: head });
      others.allowEdits(number, true);
      const found = await claims.find(project, number);
      expect(found).toMatchObject({ maintainersMayEdit: true });
      expect(await claims.fetchBranch(project, "pr-2", found?.ref)).toBe(head);
      const fork = { repository: "bob/demo", branch: BRANCH };
      const publish = async (published: string): Promise<string> => {
        const next = await scene.commit("pr-2", { "fork.txt": `after ${published}\n` });
        const request = { project, number, branch: "pr-2", head: next, published, fork };
        expect(await remote.publish(request)).toEqual({ kind: "published" });
        return next;
      };
      const next = await publish(head);
      expect(await remote.readChanges(project, [{ number, head: next }])).toMatchObject([
        { head: next, state: "open" },
      ]);
      expect(await claims.fetchBranch(project, BRANCH)).toBe(ours);
      others.allowEdits(number, false);
      await expect(publish(next)).rejects.toMatchObject({
        ...{ category: "auth", message: expect.stringContaining("refused the token for") },
        hint: expect.stringContaining("allow edits by maintainers"),
      });
    },
};
