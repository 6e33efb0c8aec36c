import { describe, expect, it } from "vitest";
import { deriveChangeStatus } from "../core/change/status.ts";
import { PluginError, type PluginErrorCategory } from "../core/errors.ts";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { aReportedCheck, aReportedReview, FORGE_POLICY, forgeOf } from "../testing/engine-bed/forge-story.ts";
import { createPerson, type Person, registerProject } from "../testing/engine-bed/story.ts";

const TEN_MINUTES = 600_000;

/** A pull request on a forge, with one comment to reply to. */
async function openScene(): Promise<{ readonly bed: EngineBed; readonly person: Person }> {
  const bed = await openEngineBed({ isRemote: true });
  const person = createPerson(bed);
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy of the forge");
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change()?.forge !== undefined);
  return { bed, person };
}

function fail(category: PluginErrorCategory, message: string, retryAfterMs?: number): PluginError {
  return new PluginError({
    plugin: "fake",
    category,
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

const OUTAGES = [
  ["answers with 5xx for ten minutes", fail("unavailable", "forge.test failed (503).")],
  ["has no rate limit left", fail("rate-limited", "The rate limit of forge.test is used up.", 300_000)],
  ["refuses the token", fail("auth", "forge.test refused the token (401).")],
  ["loses the answer", fail("unknown-outcome", "forge.test did not answer.")],
] as const;

describe.each(OUTAGES)("while a forge %s", (_name, failure) => {
  it("a merge waits with the reason, and happens once it can", async () => {
    const { bed, person } = await openScene();
    const forge = forgeOf(bed);
    forge.failure = failure;
    const head = forge.branches.get("agent/issue-1") ?? "";
    forge.report(1, { checks: [aReportedCheck("1", "passed")], reviews: [aReportedReview("r", head, null)] });
    const status = () => {
      const change = person.change();
      return change === undefined ? null : deriveChangeStatus(bed.engine.loop.world.view, change);
    };
    await person.until("the merge to wait", () => status()?.status === "merge-waits");
    expect(status()?.evidence).toContain(failure.message);
    await bed.advance(TEN_MINUTES);
    expect(bed.world.scm.merges).toEqual([]);
    forge.failure = null;
    await bed.advance(TEN_MINUTES);
    expect(bed.world.scm.merges).toEqual([1]);
    expect(person.change()?.phase).toBe("merged");
  });

  it("local comments and actions are kept, in order, and written once when possible", async () => {
    const { bed, person } = await openScene();
    const forge = forgeOf(bed);
    forge.failure = failure;
    const label = (add: string[], remove: string[]) =>
      ({ type: "change.label", key: "demo/1", add, remove, by: "ann" }) as const;
    await person.command(label(["hold"], []), "add");
    await person.command(label([], ["hold"]), "remove");
    await bed.advance(TEN_MINUTES);
    expect(forge.writes).toEqual([]);
    bed.kill();
    await bed.restart();
    forge.failure = null;
    await bed.advance(2 * TEN_MINUTES);
    expect(forge.writes.map(({ write }) => write)).toMatchObject([{ add: ["hold"] }, { remove: ["hold"] }]);
    expect(person.change()?.forge?.writes).toEqual([]);
  });
});

it("an issue is closed once its tracker is reachable again after the merge", async () => {
  const { bed, person } = await openScene();
  const { failures, issues } = bed.world.tracker;
  failures.set("1", fail("unavailable", "the tracker failed (503)."));
  const head = forgeOf(bed).branches.get("agent/issue-1") ?? "";
  forgeOf(bed).report(1, { checks: [aReportedCheck("1", "passed")], reviews: [aReportedReview("r", head, null)] });
  await person.until("the merge", () => person.change()?.phase === "merged");
  await bed.advance(TEN_MINUTES);
  expect(issues.get("1")?.state).toBe("open");
  failures.clear();
  await bed.advance(TEN_MINUTES);
  expect(issues.get("1")?.state).toBe("closed");
});
