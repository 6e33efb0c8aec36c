import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toPolicy } from "../src/app/adopt-policy.ts";
import { normalize } from "../src/config/normalize.ts";
import { parseConfig } from "../src/config/parse.ts";
import type { ChangeState, Verdict } from "../src/core/change/state.ts";
import type { AnyEvent } from "../src/core/event.ts";
import { aCreate } from "../src/testing/builders.ts";
import { REPO } from "../src/testing/engine-bed/deps.ts";
import { type EngineBed, openEngineBed } from "../src/testing/engine-bed/engine-bed.ts";
import { CHANGE, createPerson, type Person, registerProject } from "../src/testing/engine-bed/story.ts";

const SEEDS = join(import.meta.dirname, "fixtures/config/seeds");
const MINUTE = 60_000;
const TASK = "!delete green.txt";

interface Scene {
  readonly bed: EngineBed;
  readonly person: Person;
  readonly change: () => ChangeState;
  /** What the agent got beside its task, in order. */
  readonly told: () => readonly string[];
  readonly eventsOf: (type: AnyEvent["type"]) => Promise<readonly AnyEvent[]>;
  readonly review: (verdict: Verdict, text: string | null) => Promise<void>;
}

/** The engine with a configuration of the seeds in force, and a pull request of its agent; `isRed`: its check fails there, not on main. */
async function openScene(seed: string, { isRed = false } = {}): Promise<Scene> {
  const bed = await openEngineBed();
  const person = createPerson(bed);
  bed.world.repository.commitTo("main", { "green.txt": "yes\n" });
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  await person.command({ type: "project.policy", id: "demo", policy: await policyOf(bed, seed) }, "policy of the seed");
  const prompt = { inline: isRed ? TASK : "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change() !== undefined);
  await bed.advance(MINUTE);
  let serial = 0;
  return {
    bed,
    person,
    change: () => {
      const change = person.change();
      if (change === undefined) throw new Error("there is no pull request");
      return change;
    },
    told: () => bed.world.diary.map(({ text }) => text).filter((text) => !text.includes(prompt.inline)),
    eventsOf: async (type) =>
      (await bed.store.read(0, Number.MAX_SAFE_INTEGER)).map(({ event }) => event).filter((one) => one.type === type),
    review: async (verdict, text) => {
      serial += 1;
      const body = text === null ? null : { inline: text };
      const given = { reviewId: `rv-${serial}`, author: "ann", verdict, body, comments: [], head: null };
      await person.command({ type: "change.review", key: CHANGE, ...given }, `review ${serial}`);
      await bed.advance(MINUTE);
    },
  };
}

/** The file as it is, for a project whose one check is red where `green.txt` is missing. */
async function policyOf(bed: EngineBed, seed: string) {
  const text = readFileSync(join(SEEDS, `${seed}.yaml`), "utf8");
  const { written } = parseConfig(text, seed, { env: {} });
  const checks = { unit: { run: "echo 'expected 1, got 2'; cat green.txt", setup: "" } };
  const projects = { demo: { path: REPO, checks } };
  const { projects: normalized, machine } = normalize({ ...written, projects }, { base: "/base", home: "/home/u" });
  return toPolicy(bed.world.machine.host, { path: REPO }, normalized["demo"], machine);
}

describe("the seeds' reactions", () => {
  it("send a failed check with its log by {{errors}}, twice, and escalate then", async () => {
    const { told, bed, eventsOf } = await openScene("reaction-ci-failed", { isRed: true });
    await bed.advance(30 * MINUTE);
    expect(told()).toHaveLength(2);
    expect(told()[0]).toMatch(/^CI failed with the following errors: <<<<<<<< log of unit[^\n]*\nexpected 1, got 2\n/);
    expect(await eventsOf("problem.escalated")).toMatchObject([{ id: "ci-failed:unit", messages: 2 }]);
  });

  it("send requested changes by {{comments}}, and escalate after 30 minutes", async () => {
    const { told, bed, eventsOf, review } = await openScene("reaction-changes-requested");
    // Its agent asks something, and nobody answers.
    await review("request-changes", "Rename it. !ask");
    expect(told()[0]).toMatch(/^Reviewer requested: <<<<<<<< review by ann[^\n]*\n[^\n]*Rename it\. !ask\n/);
    const escalations = async () =>
      (await eventsOf("problem.escalated")).filter((event) => "id" in event && event.id === "changes-requested:rv-1");
    expect(await escalations()).toEqual([]);
    await bed.advance(31 * MINUTE);
    expect(await escalations()).toMatchObject([{ reason: "still open after 30 min" }]);
  });

  it("send the message about a label only where its condition holds", async () => {
    const { told, bed, person } = await openScene("reaction-label-added");
    const label = (add: string): Promise<void> =>
      person.command({ type: "change.label", key: CHANGE, add: [add], remove: [], by: "ann" }, `label ${add}`);
    await label("documentation");
    await bed.advance(MINUTE);
    expect(told()).toEqual([]);
    await label("needs-tests");
    await bed.advance(MINUTE);
    expect(told()).toEqual(["Please add tests for this change"]);
  });

  it("merge what is approved and green as one commit, and delete its branch", async () => {
    const { bed, change, person, review } = await openScene("reaction-auto-merge");
    const before = bed.world.repository.head("main") ?? "";
    await review("approve", null);
    await person.until("the merge", () => change().branchFate !== null);
    expect(change()).toMatchObject({ phase: "merged", merged: { strategy: "squash", by: "ao" } });
    const { repository } = bed.world;
    expect(repository.get(repository.head("main") ?? "")?.parents).toEqual([before]);
    expect(repository.head(change().branch)).toBeNull();
  });

  it("leave the merge to a person where auto is false", async () => {
    const { bed, change, eventsOf, review } = await openScene("worktrees-reactions");
    await review("approve", null);
    await bed.advance(30 * MINUTE);
    expect(change().phase).toBe("open");
    expect(await eventsOf("notice.raised")).toMatchObject([{ key: "approved-and-green" }]);
  });
});

describe("the seeds' reaction_handlers", () => {
  it("send a failed check up to max_retries times, and escalate after escalate_after", async () => {
    const { told, bed, eventsOf } = await openScene("fleet", { isRed: true });
    await bed.advance(60 * MINUTE);
    expect(told()).toHaveLength(3);
    expect(await eventsOf("problem.escalated")).toMatchObject([{ id: "ci-failed:unit", messages: 2 }]);
  });

  it("respond to comments, and ask a person after require_approval_after", async () => {
    const { told, bed, person, review, eventsOf } = await openScene("fleet");
    await review("comment", "Why so?");
    await bed.advance(10 * MINUTE);
    expect(told()).toHaveLength(2);
    expect(told()[0]).toContain("Why so?");
    expect((await eventsOf("problem.escalated")).filter((event) => "asks" in event)).toHaveLength(1);
    const problem = "review-commented:rv-1";
    await person.command({ type: "inbox.pass", stream: `change:${CHANGE}`, problem, by: "ann" }, "pass");
    await bed.advance(MINUTE);
    expect(told()).toHaveLength(3);
  });
});
