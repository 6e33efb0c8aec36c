import { describe, expect, it } from "vitest";
import { PluginError } from "../core/errors.ts";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { aReportedCheck, FORGE_POLICY, forgeOf } from "../testing/engine-bed/forge-story.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";

const MINUTE = 60_000;

/** A session with a pull request on a remote forge that can run its checks again. */
async function openScene(): Promise<EngineBed> {
  const bed = await openEngineBed({ isRemote: true });
  const person = createPerson(bed);
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy of the forge");
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await person.command(aCreate({ issue: "1", prompt: { inline: "!commit made.txt" }, messageId: "m-1" }), "create");
  const { view } = bed.engine.loop.world;
  await person.until("the pull request", () => view.change("demo/1")?.forge !== undefined);
  await bed.advance(5 * MINUTE);
  forgeOf(bed).rerun = () => undefined;
  return bed;
}

/** A check on the pull request, and the same one on main, with their logs. */
function report(bed: EngineBed, runs: { readonly own: string; readonly base?: string; readonly log: string }): void {
  const forge = forgeOf(bed);
  for (const ref of [runs.own, ...(runs.base === undefined ? [] : [runs.base])]) forge.logs.set(ref, runs.log);
  const onBase = runs.base === undefined ? [] : [aReportedCheck(runs.base, "failed")];
  forge.report(1, { checks: [aReportedCheck(runs.own, "failed")], baseChecks: onBase });
}

const LOG = "took 3 s\nnot ok 1 - total is the sum";

function heard({ world }: EngineBed): number {
  return world.diary.filter(({ text }) => text.includes("!commit fixed.txt")).length;
}

function rerunsOf(bed: EngineBed): number {
  return forgeOf(bed).writes.filter(({ write }) => write.kind === "rerun").length;
}

describe("a red check of the forge", () => {
  it("runs again there before its agent gets a message, and only once", async () => {
    const bed = await openScene();
    report(bed, { own: "run-1", log: LOG });
    await bed.advance(2 * MINUTE);
    expect([rerunsOf(bed), heard(bed)]).toEqual([1, 0]);
    report(bed, { own: "run-2", log: LOG });
    await bed.advance(2 * MINUTE);
    expect([rerunsOf(bed), heard(bed)]).toEqual([1, 1]);
  });

  it("is compared with main by what both logs say, and wakes nobody if main fails in the same way", async () => {
    const bed = await openScene();
    report(bed, { own: "run-1", base: "main-1", log: LOG });
    await bed.advance(10 * MINUTE);
    const run = bed.engine.loop.world.view.change("demo/1")?.checks["build"];
    expect(run).toMatchObject({ tests: ["total is the sum"], attribution: { cause: "base" } });
    expect([rerunsOf(bed), heard(bed)]).toEqual([0, 0]);
  });

  it("holds up nothing else while the forge cannot run it yet", async () => {
    const bed = await openScene();
    const forge = forgeOf(bed);
    forge.rerun = () => {
      throw new PluginError({ plugin: "fake", category: "unavailable", message: "its workflow is still running" });
    };
    report(bed, { own: "run-1", log: LOG });
    await bed.advance(MINUTE);
    await bed.submit({ type: "change.label", key: "demo/1", add: ["urgent"], remove: [], by: "ann" });
    await bed.advance(MINUTE);
    expect(forge.writes.map(({ write }) => write.kind)).toEqual(["label"]);
    forge.rerun = () => undefined;
    await bed.advance(10 * MINUTE);
    expect([rerunsOf(bed), heard(bed)]).toEqual([1, 0]);
  });

  it("is not run again by a request that had to wait, if somebody else did it meanwhile", async () => {
    const bed = await openScene();
    const forge = forgeOf(bed);
    forge.failure = new PluginError({ plugin: "fake", category: "unavailable", message: "it is still running" });
    report(bed, { own: "run-1", log: LOG });
    await bed.advance(MINUTE);
    report(bed, { own: "run-2", log: LOG });
    await bed.advance(MINUTE);
    forge.failure = null;
    await bed.advance(10 * MINUTE);
    expect([rerunsOf(bed), heard(bed)]).toEqual([0, 1]);
  });
});
