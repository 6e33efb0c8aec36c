import { describe, expect, it } from "vitest";
import { openActionsBed } from "../../../test/support/actions-bed.ts";
import { factsOf, type ProjectState } from "../../core/project/state.ts";
import { aCreate } from "../../testing/builders.ts";
import { FORGE_POLICY, forgeOf } from "../../testing/engine-bed/forge-story.ts";
import { requireOwnBranch } from "./require-own-branch.ts";

async function openForgeBed() {
  const at = await openActionsBed({ policy: FORGE_POLICY, isRemote: true });
  const forge = forgeOf(at.bed);
  forge.protectedBranches.add("develop");
  const { view } = at.bed.engine.loop.world;
  const project = (): ProjectState => view.project("demo") ?? expect.unreachable("there is no project");
  const count = () => [...view.activeSessions("demo")].length;
  return { ...at, forge, view, project, count };
}

describe("a session is not created on", () => {
  it.each([
    "main",
    "refs/heads/main",
    "heads/main",
    "origin/main",
    "company/main",
    "refs/remotes/company/main",
    "MAIN",
  ])("the default branch, written as %s", async (branch) => {
    const { actions, count } = await openForgeBed();
    const created = actions.createSession({ projectId: "demo", title: "On main", branch }, {});
    const message = "main is the default branch of demo; sessions work on their own branch.";
    await expect(created).rejects.toMatchObject({ code: "usage", message });
    expect(count()).toBe(1);
  });

  it.each(["develop", "refs/heads/develop", "heads/develop", "origin/develop", "company/develop"])(
    "a branch that the forge protects, written as %s",
    async (branch) => {
      const { actions, count } = await openForgeBed();
      const created = actions.createSession({ projectId: "demo", title: "On develop", branch }, {});
      await expect(created).rejects.toMatchObject({ code: "usage" });
      expect(count()).toBe(1);
    },
  );

  it("a protected branch, with the reason", async () => {
    const { actions } = await openForgeBed();
    const created = actions.createSession({ projectId: "demo", title: "On develop", branch: "develop" }, {});
    const message = "develop is a protected branch of demo; sessions work on their own branch.";
    await expect(created).rejects.toMatchObject({ message, hint: expect.stringContaining("starts from main") });
  });
});

it("a branch that the forge protects in another spelling is refused: it can be the same on this machine", async () => {
  const { kernel, project } = await openForgeBed();
  const { host } = kernel;
  const listing = (refs: string): typeof kernel => ({
    ...kernel,
    host: {
      ...host,
      exec: async (request) => {
        const answer = await host.exec(request);
        return request.args.includes("--ignore-case") ? { ...answer, stdout: refs } : answer;
      },
    },
  });
  for (const refs of ["refs/heads/develop\n", "refs/remotes/origin/develop\n"]) {
    const message = "DEVELOP is a protected branch of demo; sessions work on their own branch.";
    await expect(requireOwnBranch(listing(refs), project(), "DEVELOP")).rejects.toMatchObject({ message });
  }
  await requireOwnBranch(listing(""), project(), "DEVELOP");
});

it("does not wait for a forge that is down", async () => {
  const { actions, forge, bed, count } = await openForgeBed();
  forge.isDown = true;
  await bed.world.machine.host.fs.makeDir("/bin");
  const created = actions.createSession({ projectId: "demo", title: "On develop", branch: "develop" }, {});
  // The bed has no program to run; the branch was accepted.
  await expect(created).rejects.not.toMatchObject({ message: expect.stringContaining("branch") });
  expect(count()).toBe(1);
});

describe("a session is not restored on", () => {
  async function stoppedOn(branch: string) {
    const at = await openForgeBed();
    await at.bed.submit(aCreate({ title: "Other work", branch, messageId: "m-other" }));
    await at.until("its start", () => at.view.session("demo-other-work")?.workspace.state === "ready");
    await at.bed.submit({ type: "session.stop", sessionId: "demo-other-work", reason: "enough" });
    await at.until("its end", () => at.view.session("demo-other-work")?.phase === "stopped");
    return at;
  }

  it("a branch that has become the default branch", async () => {
    const { actions, bed, project } = await stoppedOn("next");
    await bed.submit({ type: "project.register", isUpdate: true, ...factsOf(project()), defaultBranch: "next" });
    await expect(actions.restoreSession("demo-other-work", {}, {})).rejects.toMatchObject({
      code: "usage",
      message: "next is the default branch of demo; sessions work on their own branch.",
      hint: expect.stringContaining("refs/ao/preserved/demo-other-work"),
    });
  });

  it("a branch that the forge protects by now", async () => {
    const { actions, forge, view } = await stoppedOn("next");
    forge.protectedBranches.add("next");
    const message = "next is a protected branch of demo; sessions work on their own branch.";
    await expect(actions.restoreSession("demo-other-work", {}, {})).rejects.toMatchObject({ message });
    forge.protectedBranches.clear();
    await actions.restoreSession("demo-other-work", {}, {});
    expect(view.session("demo-other-work")?.phase).not.toBe("stopped");
  });
});
