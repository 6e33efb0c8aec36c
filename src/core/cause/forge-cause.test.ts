import { describe, expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  type Story,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { ChangeObservation, ReportedCheck } from "../change/observation.ts";

/** A pull request on a remote forge, which runs the checks. */
function onForge(facts: Parameters<typeof aPolicy>[0] = {}): Story {
  const story = beginStory(aPolicy({ checks: {}, ...facts }));
  story.isRemote = true;
  agentTurn(story, "head1");
  return story;
}

function aRun(ref: string, facts: Partial<ReportedCheck> = {}): ReportedCheck {
  const failure = { tests: ["cart > total"], fingerprint: "f1" };
  return { name: "build", ref, state: "failed", url: null, log: { inline: "no" }, ...failure, tookMs: 5, ...facts };
}

let version = 0;

function see(story: Story, facts: Partial<ChangeObservation>): void {
  version += 1;
  const empty = { checks: [], reviews: [], labels: [], required: [], blocked: null };
  const seen: ChangeObservation = {
    ...{ number: 1, version: String(version).padStart(6, "0"), state: "open", by: null, mergeCommit: null },
    ...{ head: changeOf(story).head, baseHead: "base0", ...empty, ...facts },
  };
  submit(story, { type: "change.seen", key: "demo/1", seen });
  perform(story);
}

function causes(story: Story): readonly string[] {
  return eventsOf(story, "check.attributed").map(({ name, cause }) => `${name}: ${cause}`);
}

function rerunsOf(story: Story): readonly string[] {
  return eventsOf(story, "change.write-queued").flatMap(({ write }) => (write.kind === "rerun" ? [write.ref] : []));
}

const PASSED = { state: "passed", log: null, tests: [], fingerprint: "" } as const;

describe("a check of the forge that fails because of the branch", () => {
  it("runs again there, and then wakes the agent once, with what the base says", () => {
    const story = onForge();
    const baseChecks = [aRun("base-1", PASSED)];
    see(story, { checks: [aRun("1")], baseChecks });
    expect(rerunsOf(story)).toEqual(["1"]);
    expect(toldOf(story)).toEqual([]);
    see(story, { checks: [aRun("2", { state: "running", log: null })], baseChecks });
    see(story, { checks: [aRun("2")], baseChecks });
    see(story, { checks: [aRun("2")], baseChecks });
    expect(rerunsOf(story)).toEqual(["1"]);
    expect(causes(story)).toEqual(["build: branch"]);
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain("It failed in both of 2 runs on this commit and passes on main (base0).");
  });

  it("wakes the agent at once if the forge refuses to run it again", () => {
    const story = onForge();
    story.refusesWrites = true;
    see(story, { checks: [aRun("1")] });
    expect(rerunsOf(story)).toEqual(["1"]);
    expect(causes(story)).toEqual(["build: branch"]);
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).not.toContain("2 runs");
  });

  it("wakes the agent at once if the project wants no re-runs", () => {
    const story = onForge({ reruns: 0 });
    see(story, { checks: [aRun("1")] });
    expect(rerunsOf(story)).toEqual([]);
    expect(toldOf(story)).toHaveLength(1);
  });

  it("does not wait for a base that is still being checked", () => {
    const story = onForge();
    const baseChecks = [aRun("base-1", { state: "running", log: null })];
    see(story, { checks: [aRun("1")], baseChecks });
    see(story, { checks: [aRun("2")], baseChecks });
    expect(causes(story)).toEqual(["build: branch"]);
    expect(toldOf(story)).toHaveLength(1);
  });

  it("is the branch's if another test fails than on the base", () => {
    const story = onForge({ reruns: 0 });
    see(story, { checks: [aRun("1")], baseChecks: [aRun("base-1", { tests: ["menu > opens"] })] });
    expect(causes(story)).toEqual(["build: branch"]);
  });
});

describe("a check of the forge that fails on the base too", () => {
  function redMain(): Story {
    const story = onForge();
    see(story, { checks: [aRun("1")], baseChecks: [aRun("base-1")] });
    return story;
  }

  it("wakes nobody and does not run again, and people hear once that main is red", () => {
    const story = redMain();
    see(story, { checks: [aRun("1")], baseChecks: [aRun("base-1")] });
    expect(causes(story)).toEqual(["build: base"]);
    expect(rerunsOf(story)).toEqual([]);
    expect(toldOf(story)).toEqual([]);
    expect(eventsOf(story, "commit.check-finished")).toMatchObject([{ commit: "base0", ref: "base-1", attempt: 1 }]);
    expect(eventsOf(story, "notice.raised").map(({ title }) => title)).toEqual(["Demo: main is red"]);
  });

  it("stays the base's while its next commit is being checked, and wakes the agent once that passes", () => {
    const story = redMain();
    const moved = { checks: [aRun("1")], baseHead: "base1" };
    see(story, { ...moved, baseChecks: [aRun("base-2", { state: "running", log: null })] });
    expect(causes(story)).toEqual(["build: base"]);
    see(story, { ...moved, baseChecks: [aRun("base-2", PASSED)] });
    expect(causes(story)).toEqual(["build: base", "build: branch"]);
    expect(rerunsOf(story)).toEqual([]);
    expect(toldOf(story)).toHaveLength(1);
    expect(toldOf(story)[0]).toContain("It failed on main too, and passes there since base1: merge base1 first.");
  });
});

describe("a flaky check of the forge", () => {
  it("that passes when it runs again wakes nobody, and is remembered", () => {
    const story = onForge();
    see(story, { checks: [aRun("1")] });
    see(story, { checks: [aRun("2", PASSED)] });
    expect(causes(story)).toEqual(["build: flaky"]);
    expect(toldOf(story)).toEqual([]);
    expect(story.world.view.project("demo")?.flakes).toMatchObject({ build: { count: 1 } });
  });
});

describe("a check of the forge that no merge needs", () => {
  it("wakes nobody and does not run again", () => {
    const story = onForge();
    see(story, { checks: [aRun("1", { name: "lint" }), aRun("2", { ...PASSED, name: "build" })], required: ["build"] });
    expect(causes(story)).toEqual(["lint: optional"]);
    expect(rerunsOf(story)).toEqual([]);
    expect(toldOf(story)).toEqual([]);
  });

  it("is compared with nothing if ao runs a check of the same name itself", () => {
    const story = onForge();
    ask(story, { type: "project.policy", id: "demo", policy: aPolicy() });
    see(story, { checks: [aRun("1", { name: "unit" })], baseChecks: [aRun("base-1", { name: "unit" })] });
    expect(eventsOf(story, "commit.check-finished").filter(({ ref }) => ref !== undefined)).toEqual([]);
  });
});
