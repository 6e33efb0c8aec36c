import { describe, expect, it } from "vitest";
import type { ForgeReport } from "../core/change/forge-report.ts";
import { PluginError } from "../core/errors.ts";
import type { RemoteForge } from "../ports/scm.ts";
import { aCreate } from "../testing/builders.ts";
import { type BedOptions, type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { aReportedCheck, aReportedReview, FORGE_POLICY, forgeOf } from "../testing/engine-bed/forge-story.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";
import type { Ports } from "../testing/engine-bed/world.ts";

const MINUTE = 60_000;

/** Sessions with a pull request each on a remote forge, after a quiet period. */
async function openScene(count: number, options: BedOptions = {}): Promise<EngineBed> {
  const bed = await openEngineBed({ isRemote: true, ...options });
  const person = createPerson(bed);
  const { view } = bed.engine.loop.world;
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: FORGE_POLICY }, "policy of the forge");
  for (let n = 1; n <= count; n += 1) {
    bed.world.tracker.add({ title: `Fix ${n}`, body: "", labels: [], dependsOn: [], state: "open" });
    const prompt = { inline: `!commit made-${n}.txt` };
    await person.command(aCreate({ issue: String(n), prompt, messageId: `m-${n}` }), `create ${n}`);
    await person.until("the pull request", () => view.change(`demo/${n}`)?.forge !== undefined);
  }
  await bed.advance(5 * MINUTE);
  return bed;
}

/** A webhook of the forge's one repository. */
function deliver(bed: EngineBed, report: Partial<ForgeReport>): number {
  const nothing = { numbers: [], commits: [], branches: [], isAboutAll: false };
  return bed.engine.report({ repository: "https://forge.test", ...nothing, ...report });
}

function headOf(bed: EngineBed): string {
  return forgeOf(bed).branches.get("agent/issue-1") ?? "";
}

function heard({ world }: EngineBed, words: string): number {
  return world.diary.filter(({ text }) => text.includes(words)).length;
}

describe("pull requests on a remote forge", () => {
  it("cost one request a minute for all of them while nothing happens", async () => {
    const bed = await openScene(3);
    const before = forgeOf(bed).reads;
    await bed.advance(10 * MINUTE);
    expect(forgeOf(bed).reads - before).toBe(10);
  });

  it("report why their forge cannot be read, until it can, and miss nothing meanwhile", async () => {
    const bed = await openScene(1);
    const forge = forgeOf(bed);
    forge.isDown = true;
    await bed.advance(10 * MINUTE);
    expect(bed.engine.forgeTroubles()).toMatchObject([{ projectId: "demo", message: "the forge is down", hint: null }]);
    forge.logs.set("1", "expected 1, got 2");
    forge.report(1, { checks: [aReportedCheck("1", "failed")] });
    forge.isDown = false;
    await bed.advance(MINUTE);
    expect(bed.engine.forgeTroubles()).toEqual([]);
    expect(heard(bed, "expected 1, got 2")).toBe(1);
  });

  it("are read within ten seconds of ao's own actions", async () => {
    const bed = await openScene(1);
    const before = forgeOf(bed).reads;
    await bed.submit({ type: "change.label", key: "demo/1", add: ["urgent"], remove: [], by: "ann" });
    await bed.advance(10_000);
    expect(forgeOf(bed).reads - before).toBe(1);
  });

  it("send a red check to their agent within one interval, with its log", async () => {
    const bed = await openScene(1);
    forgeOf(bed).logs.set("run-1", "Step: Test\nexpected 1, got 2");
    forgeOf(bed).report(1, { checks: [aReportedCheck("run-1", "failed")] });
    await bed.advance(MINUTE);
    expect(heard(bed, "expected 1, got 2")).toBe(1);
  });

  it("report once everything that happened while no daemon was running", async () => {
    const bed = await openScene(1);
    const head = forgeOf(bed).branches.get("agent/issue-1") ?? "";
    bed.kill();
    bed.world.clock.set(bed.world.clock.now() + 60 * MINUTE);
    forgeOf(bed).report(1, {
      checks: [aReportedCheck("run-1", "failed")],
      reviews: [aReportedReview("r1", head, "Why?")],
    });
    await bed.restart();
    await bed.advance(10 * MINUTE);
    expect([heard(bed, "!commit fixed.txt"), heard(bed, "!commit addressed.txt")]).toEqual([1, 1]);
  });

  it("send a red check to their agent as soon as a webhook reports it, with a single read", async () => {
    const bed = await openScene(2);
    deliver(bed, { numbers: [1] });
    await bed.advance(MINUTE);
    const before = forgeOf(bed).reads;
    forgeOf(bed).report(1, { checks: [aReportedCheck("run-1", "failed")] });
    deliver(bed, { numbers: [1] });
    await bed.idle();
    expect([heard(bed, "!commit fixed.txt"), forgeOf(bed).reads - before]).toEqual([1, 1]);
  });

  it("cost no request while webhooks work and nothing happens, except one every half hour", async () => {
    const bed = await openScene(1);
    deliver(bed, {});
    await bed.advance(2 * MINUTE);
    const before = forgeOf(bed).reads;
    await bed.advance(20 * MINUTE);
    expect(forgeOf(bed).reads - before).toBe(0);
    await bed.advance(40 * MINUTE);
    expect(forgeOf(bed).reads - before).toBe(2);
  });

  it("from forks are polled if webhooks do not report their checks", async () => {
    const bed = await openScene(0);
    const forge = forgeOf(bed);
    forge.branches.set("feature", bed.world.repository.head("main") ?? "");
    const { number, url, author } = forge.openPull({ branch: "feature", title: "Add b", body: "" });
    const fork = { repository: "bob/demo", branch: "feature" };
    const pullRequest = { number, url, author, body: null, head: forge.branches.get("feature") ?? "", fork };
    await bed.submit(aCreate({ branch: "pr-1", pullRequest }));
    deliver(bed, { numbers: [number] });
    await bed.advance(5 * MINUTE);
    forge.report(number, { checks: [aReportedCheck("run-1", "failed")] });
    await bed.advance(MINUTE);
    expect(heard(bed, "!commit fixed.txt")).toBe(1);
  });

  it("report a fact once, however often and in whatever order a webhook and a poll report it", async () => {
    const bed = await openScene(1);
    forgeOf(bed).report(1, { checks: [aReportedCheck("run-1", "failed")] });
    for (const report of [
      { numbers: [1] },
      { commits: [headOf(bed)] },
      { branches: ["agent/issue-1"] },
      { isAboutAll: true },
    ])
      expect(deliver(bed, report)).toBe(1);
    await bed.advance(10 * MINUTE);
    expect(heard(bed, "!commit fixed.txt")).toBe(1);
  });

  it("are read at once for a few webhooks in a row, such as the start and end of a check", async () => {
    const bed = await openScene(1);
    deliver(bed, { numbers: [1] });
    await bed.idle();
    forgeOf(bed).report(1, { checks: [aReportedCheck("run-1", "failed")] });
    deliver(bed, { numbers: [1] });
    await bed.idle();
    expect(heard(bed, "!commit fixed.txt")).toBe(1);
  });

  it("are read five times at once for a hundred webhooks, and then at most every two seconds", async () => {
    const bed = await openScene(1);
    const before = forgeOf(bed).reads;
    for (let n = 0; n < 100; n += 1) {
      deliver(bed, { numbers: [1] });
      await bed.idle();
    }
    expect(forgeOf(bed).reads - before).toBe(5);
    await bed.advance(2000);
    expect(forgeOf(bed).reads - before).toBe(6);
    deliver(bed, { numbers: [1] });
    await bed.idle();
    expect(forgeOf(bed).reads - before).toBe(6);
  });

  it("are read again after a webhook that came before the forge itself shows the fact", async () => {
    const bed = await openScene(1);
    deliver(bed, { numbers: [1] });
    await bed.advance(MINUTE);
    deliver(bed, { numbers: [1] });
    await bed.idle();
    forgeOf(bed).report(1, { checks: [aReportedCheck("run-1", "failed")] });
    await bed.advance(10_000);
    expect(heard(bed, "!commit fixed.txt")).toBe(1);
  });

  it("are polled again if webhooks stop: ao's own push is not reported, or a poll finds something unreported", async () => {
    const bed = await openScene(1);
    deliver(bed, {});
    await bed.advance(2 * MINUTE);
    await bed.submit({ type: "change.label", key: "demo/1", add: ["urgent"], remove: [], by: "ann" });
    await bed.advance(2 * MINUTE);
    forgeOf(bed).report(1, { labels: ["urgent"], checks: [aReportedCheck("run-1", "failed")] });
    await bed.advance(MINUTE);
    expect(heard(bed, "!commit fixed.txt")).toBe(1);
    deliver(bed, {});
    await bed.advance(2 * MINUTE);
    forgeOf(bed).report(1, { labels: ["urgent"], reviews: [aReportedReview("r1", headOf(bed), "Why?")] });
    await bed.advance(30 * MINUTE);
    const before = forgeOf(bed).reads;
    await bed.advance(10 * MINUTE);
    expect([heard(bed, "!commit addressed.txt"), forgeOf(bed).reads - before]).toEqual([1, 10]);
  });

  it("are not read for webhooks about another repository, number, commit or branch", async () => {
    const bed = await openScene(1);
    const other = { numbers: [9], commits: ["0".repeat(40)], branches: ["agent/issue-10"] };
    expect(deliver(bed, other)).toBe(0);
    expect(deliver(bed, { repository: "https://forge.tes", isAboutAll: true })).toBe(0);
  });

  it("are recognized by their commit if the repository was renamed, and by its new name from then on", async () => {
    const bed = await openScene(1);
    const repository = "https://forge.test/renamed";
    forgeOf(bed).report(1, { url: `${repository}/pull/1` });
    expect(deliver(bed, { repository, numbers: [1] })).toBe(0);
    expect(deliver(bed, { repository, commits: [headOf(bed)] })).toBe(1);
    await bed.idle();
    expect(bed.engine.loop.world.view.change("demo/1")?.url).toBe(`${repository}/pull/1`);
    expect(deliver(bed, { repository, numbers: [1] })).toBe(1);
  });

  it("are left alone for as long as the forge asks for a pause, whatever happens meanwhile", async () => {
    let reads = 0;
    let isLimited = false;
    const limited = ({ scm }: Ports): Partial<Ports> => {
      const remote = scm.remote as RemoteForge;
      const readChanges: typeof remote.readChanges = async (...asked) => {
        reads += 1;
        if (!isLimited) return remote.readChanges(...asked);
        const about = { plugin: "forge", category: "rate-limited", message: "Slow down." } as const;
        throw new PluginError({ ...about, retryAfterMs: 5 * MINUTE });
      };
      return { scm: { ...scm, remote: { ...remote, readChanges } } };
    };
    const bed = await openScene(1, { ports: limited });
    isLimited = true;
    deliver(bed, { numbers: [1] });
    await bed.idle();
    const before = reads;
    await bed.submit({ type: "change.label", key: "demo/1", add: ["urgent"], remove: [], by: "ann" });
    deliver(bed, { numbers: [1] });
    await bed.advance(4 * MINUTE);
    expect(reads - before).toBe(0);
    isLimited = false;
    await bed.advance(MINUTE);
    expect(reads - before).toBe(1);
  });

  it("wait for an unreadable forge, and continue when it can be read", async () => {
    const bed = await openScene(1);
    const broken = forgeOf(bed);
    broken.isDown = true;
    broken.report(1, { labels: ["late"] });
    await bed.advance(10 * MINUTE);
    expect(bed.engine.loop.world.view.change("demo/1")?.labels).toEqual([]);
    broken.isDown = false;
    await bed.advance(MINUTE);
    expect(bed.engine.loop.world.view.change("demo/1")?.labels).toEqual(["late"]);
  });
});
