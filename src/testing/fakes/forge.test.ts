import { describe, expect, it } from "vitest";
import type { ReportedReview } from "../../core/change/observation.ts";
import { describeScmContract } from "../contracts/scm.contract.ts";
import type { ScmScene } from "../contracts/scm-scene.ts";
import { createFakeForge } from "./forge.ts";
import { createFakeMachine } from "./host.ts";
import { createFakeRepository } from "./repository.ts";
import { createRushingClock } from "./rushing-clock.ts";

function create(): ScmScene & { readonly world: ReturnType<typeof createFakeForge> } {
  const { host } = createFakeMachine({ clock: createRushingClock() });
  const repository = createFakeRepository();
  const world = createFakeForge(host, repository);
  return {
    world,
    scm: world.scm,
    fs: host.fs,
    project: { id: "p", path: "/repo", defaultBranch: "main" },
    commit: async (branch, files, options) => repository.commitTo(branch, files, options),
    read: async (branch, path) => repository.get(repository.head(branch) ?? "")?.tree.get(path) ?? null,
    commentsOn: (number) => [world.forge.statuses.get(number) ?? ""],
    queue: {
      require: () => {
        world.forge.queue.isRequired = true;
      },
      mergeNext: world.forge.queue.mergeNext,
      fail: async (number, { name, log }) => {
        world.forge.logs.set("1", log);
        const check = { name, ref: "1", state: "failed", url: null, log: null, tookMs: null } as const;
        world.forge.queue.remove(number, "failure", check);
      },
    },
    reviewers: {
      requestChanges: (number, by) => world.forge.report(number, { reviews: [aReview(by)] }),
      asked: (number) =>
        world.forge.writes.flatMap((one) =>
          one.number === number && one.write.kind === "request-review" ? [one.write.reviewer] : [],
        ),
    },
    makeDraft: (number) => world.forge.report(number, { isDraft: true }),
    history: async (branch) => repository.history(repository.head(branch) ?? "").map(({ subject }) => subject),
  };
}

function aReview(author: string): ReportedReview<string> {
  const nothing = { body: "Why?", head: "", threads: [] };
  return { id: "r1", author, verdict: "request-changes", isDismissed: false, ...nothing };
}

describeScmContract({
  name: "of the test bed, elsewhere",
  create,
  isRemote: true,
  skip: [
    {
      test: "checks exactly the requested commit, in a clean checkout",
      reason: "its checkouts are plain files, without git",
    },
    { test: "leaves no checkout behind", reason: "its shell has no mkdir and no chmod" },
    { test: "ends a check that is no longer wanted", reason: "its checks leave no trace on a real disk" },
  ],
});

describe("the test bed's forge", () => {
  it("shows checks for the commit they were reported for", async () => {
    const { world, project, commit, scm } = create();
    const head = await commit("agent/a", { "a.txt": "1\n" });
    const request = { project, branch: "agent/a", base: "main", head, title: "Add a", body: "", after: 0 };
    const { number } = await scm.ensureChange(request);
    const check = { name: "build", ref: "1", state: "failed", url: null, log: null, tookMs: null } as const;
    world.forge.report(number, { checks: [check] });
    const read = async () => (await scm.remote?.readChanges(project, [{ number, head }]))?.[0];
    expect((await read())?.checks).toEqual([check]);
    const next = await commit("agent/a", { "a.txt": "2\n" });
    await scm.remote?.publish({ project, number, branch: "agent/a", head: next, published: head });
    expect(await read()).toMatchObject({ head: next, checks: [] });
  });
});
