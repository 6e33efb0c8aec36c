import { describe, expect, it } from "vitest";
import { deriveChangeStatus } from "../core/change/status.ts";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { aReportedCheck, aReportedReview, FORGE_POLICY, forgeOf } from "../testing/engine-bed/forge-story.ts";
import { createPerson, type Person, registerProject } from "../testing/engine-bed/story.ts";

interface Scene {
  readonly bed: EngineBed;
  readonly person: Person;
  /** Everything is green and approved at the forge's commit. */
  approve(ref: string): void;
  evidence(): string;
}

/** A pull request on a forge whose base has a merge queue. */
async function openScene(): Promise<Scene> {
  const bed = await openEngineBed({ isRemote: true });
  const person = createPerson(bed);
  const forge = forgeOf(bed);
  forge.queue.isRequired = true;
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy of the forge");
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change()?.forge !== undefined);
  const head = (): string => forge.branches.get("agent/issue-1") ?? "";
  return {
    bed,
    person,
    approve: (ref) =>
      forge.report(1, { checks: [aReportedCheck(ref, "passed")], reviews: [aReportedReview(ref, head(), null)] }),
    evidence: () => {
      const change = person.change();
      return change === undefined ? "" : deriveChangeStatus(bed.engine.loop.world.view, change).evidence;
    },
  };
}

describe("a pull request in the merge queue of its forge", () => {
  it("shows its position, and is merged for whoever requested it", async () => {
    const { bed, person, approve, evidence } = await openScene();
    const { queue } = forgeOf(bed);
    approve("run-1");
    await person.until("its place in the queue", () => queue.list().length === 1);
    await person.until("the record of it", () => evidence() === "in the forge's merge queue, position 1");
    bed.kill();
    await bed.restart();
    await bed.advance(120_000);
    expect(queue.list()).toEqual([1]);
    await queue.mergeNext();
    await bed.advance(60_000);
    await person.until("the merge", () => person.change()?.phase === "merged");
    expect(person.change()?.merged).toMatchObject({ by: "ao", strategy: "squash", deleteAfter: true });
  });

  it("returns to the agent when the queue finds it faulty, and joins the queue with the new commit", async () => {
    const { bed, person, approve } = await openScene();
    const { queue } = forgeOf(bed);
    approve("run-1");
    await person.until("its place in the queue", () => person.change()?.mergeRequest?.queue !== undefined);
    const before = person.change()?.head;
    forgeOf(bed).logs.set("run-of-queue", "expected 2, got 3");
    queue.remove(1, "failure", aReportedCheck("run-of-queue", "failed"));
    await person.until("the fix", () => person.change()?.head !== before);
    const told = bed.world.diary.filter(({ text }) => text.includes("its checks failed"));
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining("expected 2, got 3")]);
    expect(queue.list()).toEqual([]);
    approve("run-2");
    await person.until("its place in the queue again", () => queue.list().length === 1);
  });

  it("stays out if a person removes it there", async () => {
    const { bed, person, approve } = await openScene();
    const { queue } = forgeOf(bed);
    approve("run-1");
    await person.until("its place in the queue", () => person.change()?.mergeRequest?.queue !== undefined);
    queue.remove(1, "person");
    await person.until("the end of the request", () => person.change()?.mergeRequest === null);
    await bed.advance(300_000);
    expect(queue.list()).toEqual([]);
    expect(bed.world.diary).toHaveLength(1);
  });

  it("joins the queue again with the same commit when a person requests it", async () => {
    const { bed, person, approve } = await openScene();
    const { queue } = forgeOf(bed);
    approve("run-1");
    await person.until("its place in the queue", () => person.change()?.mergeRequest?.queue !== undefined);
    queue.remove(1, "person");
    await person.until("the end of the request", () => person.change()?.mergeRequest === null);
    await person.command({ type: "change.merge", key: "demo/1", strategy: null, by: "ann" }, "merge again");
    await person.until("its place in the queue again", () => queue.list().length === 1);
    await queue.mergeNext();
    await bed.advance(60_000);
    await person.until("the merge", () => person.change()?.phase === "merged");
    expect(person.change()?.merged).toMatchObject({ by: "ann" });
  });

  it("keeps its place when a person requests another strategy", async () => {
    const { bed, person, approve } = await openScene();
    const { queue } = forgeOf(bed);
    approve("run-1");
    await person.until("its place in the queue", () => person.change()?.mergeRequest?.queue !== undefined);
    await person.command({ type: "change.merge", key: "demo/1", strategy: "rebase", by: "ann" }, "rebase");
    await person.until("the record of its place", () => person.change()?.mergeRequest?.queue !== undefined);
    expect(queue.list()).toEqual([1]);
  });

  it("leaves the queue if the merge is canceled in ao", async () => {
    const { bed, person, approve } = await openScene();
    const { queue } = forgeOf(bed);
    approve("run-1");
    await person.until("its place in the queue", () => person.change()?.mergeRequest?.queue !== undefined);
    await person.command({ type: "change.cancel-merge", key: "demo/1", by: "ann" }, "cancel");
    await person.until("the queue to be empty", () => queue.list().length === 0);
    expect(person.change()).toMatchObject({ mergeRequest: null, mergeCancelled: { by: "ann" } });
  });
});
