import { describe, expect, it } from "vitest";
import { aRequest } from "../../../testing/contracts/scm-scene.ts";
import { aGithubScmScene, type GithubScmScene } from "../../../testing/fake-github/scm-scene.ts";
import { git } from "../../../testing/git-repo.ts";
import { githubScm } from "./github.ts";

const openScene = (): Promise<GithubScmScene> =>
  aGithubScmScene((config, host, home) => githubScm.create(config, host, { home, projectPath: "" }));

/** A pull request that bob opened for a branch that is only on GitHub. */
async function aForeignPull(scene: GithubScmScene): Promise<{ readonly number: number; readonly head: string }> {
  const head = await scene.commit("feature/search", { "search.txt": "1\n" });
  await scene.pushAsPerson("feature/search", head);
  git(scene.repo, "branch", "-D", "feature/search");
  const { number } = await scene.there.openPull({
    title: "Add search",
    body: "More.",
    head: "feature/search",
    by: "bob",
  });
  return { number, head };
}

describe("a pull request on GitHub that ao did not open", () => {
  it("is used if the agent opened it for its branch, instead of a second one", async () => {
    const scene = await openScene();
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    await scene.pushAsPerson("agent/a", head);
    const { number } = await scene.there.openPull({ title: "By the agent", head: "agent/a" });
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    const request = aRequest(scene, { branch: "agent/a", head: next });
    expect(await scene.scm.ensureChange(request)).toMatchObject({ number });
    expect([...scene.there.record.pulls.keys()]).toEqual([number]);
    expect(scene.there.pull(number)).toMatchObject({ title: "By the agent", head: next });
  });

  it("can be claimed: its branch comes here under its own name, and newer commits of ao go there", async () => {
    const scene = await openScene();
    const { claims, publish, readChanges } = scene.remote;
    const { number, head } = await aForeignPull(scene);
    const found = await claims?.find(scene.project, number);
    expect(found).toEqual({
      ...{ number, url: expect.stringContaining(`/octo/demo/pull/${number}`), title: "Add search", body: "More." },
      ...{ author: "bob", branch: "feature/search", base: "main", state: "open", isFork: false },
    });
    for (let time = 0; time < 2; time += 1) {
      expect(await claims?.fetchBranch(scene.project, "feature/search")).toBe(head);
    }
    expect(await scene.scm.readHead(scene.project, "feature/search")).toBe(head);
    const next = await scene.commit("feature/search", { "search.txt": "2\n" });
    const request = { project: scene.project, number, branch: "feature/search", head: next, published: head };
    expect(await publish(request)).toEqual({ kind: "published" });
    expect(await readChanges(scene.project, [{ number, head: next }])).toMatchObject([{ state: "open", head: next }]);
  });

  it("keeps its branch here as it is if that is checked out or has commits that GitHub lacks", async () => {
    const scene = await openScene();
    const { number } = await aForeignPull(scene);
    const fetch = async () => scene.remote.claims?.fetchBranch(scene.project, "feature/search");
    await fetch();
    const own = await scene.commit("feature/search", { "own.txt": "1\n" });
    await expect(fetch()).rejects.toMatchObject({ message: expect.stringContaining("has commits that GitHub lacks") });
    expect(await scene.scm.readHead(scene.project, "feature/search")).toBe(own);
    git(scene.repo, "switch", "-q", "feature/search");
    await expect(fetch()).rejects.toMatchObject({ message: expect.stringContaining("is checked out in") });
    expect(scene.there.pull(number).state).toBe("open");
  });

  it("is known as closed, merged or missing", async () => {
    const scene = await openScene();
    const { number } = await aForeignPull(scene);
    const find = async (which: number) => (await scene.remote.claims?.find(scene.project, which)) ?? null;
    await scene.there.closePull(number);
    expect(await find(number)).toMatchObject({ state: "closed" });
    const { number: second } = await scene.open();
    await scene.there.merge(second);
    expect(await find(second)).toMatchObject({ state: "merged" });
    const issue = scene.there.openIssue({ title: "Not a pull request" });
    expect(await find(issue.number)).toBeNull();
  });

  it("is known to come from a fork", async () => {
    const scene = await openScene();
    const { number } = await aForeignPull(scene);
    Object.assign(scene.there.pull(number), { headRepository: scene.github.createRepository("bob/demo").record });
    expect(await scene.remote.claims?.find(scene.project, number)).toMatchObject({ isFork: true });
  });
});
