import { parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import type { Tracker } from "../../../ports/tracker.ts";
import { describeTrackerContract } from "../../../testing/contracts/tracker.contract.ts";
import { createFakeLinear, type FakeLinear, type FakeTeam } from "../../../testing/fake-linear/fake-linear.ts";
import { createFakeMachine, type LogLine } from "../../../testing/fakes/host.ts";
import { linearSchema } from "../../../testing/linear-schema.ts";
import { linear as plugin } from "./linear.ts";
import * as queries from "./queries.ts";

interface Scene {
  readonly linear: FakeLinear;
  readonly team: FakeTeam;
  readonly tracker: Tracker;
  readonly logged: readonly LogLine[];
}

function trackerOn(
  linear: FakeLinear,
  settings: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): Pick<Scene, "tracker" | "logged"> {
  const machine = createFakeMachine({ clock: { now: Date.now, after: () => () => undefined }, env });
  const host = { ...machine.host, http: linear.http };
  const config = plugin.config.parse(settings);
  return { tracker: plugin.create(config, host, { home: "/", projectPath: "/" }), logged: machine.logged };
}

function aScene(settings: Readonly<Record<string, unknown>> = {}, env?: Readonly<Record<string, string>>): Scene {
  const linear = createFakeLinear();
  const team = linear.createTeam("ENG");
  const made = trackerOn(linear, { teamId: "ENG", ...settings }, env ?? { LINEAR_API_KEY: linear.token });
  return { linear, team, ...made };
}

const PRIORITIES = ["", "urgent", "high", "medium", "low"];
const numberOf = (id: string): number => Number(id.replace("ENG-", ""));

it("the author of an issue on Linear is a member, or somebody whose words an integration brought in", async () => {
  const { team, tracker } = aScene();
  const external = { creator: null, externalUserCreator: { id: "x", name: "Mallory" } };
  const bot = { creator: null, botActor: { type: "email", name: "Asks" } };
  const cases = [{}, external, bot, { creator: null }];
  for (const malformed of cases) team.openIssue({ title: "An issue" }).malformed = malformed;
  expect((await tracker.get(["1", "2", "3", "4"])).map(({ author }) => author)).toEqual([
    { name: "ao", access: "write" },
    { name: "Mallory", access: "none" },
    { name: "Asks", access: "none" },
    { name: "somebody", access: "none" },
  ]);
});

describeTrackerContract({
  name: "the tracker linear",
  special: { priority: "high" },
  create: () => {
    const { linear, team, tracker } = aScene();
    for (const user of ["ada", "bob"]) team.openIssue({ title: user, assignee: user });
    // People exist before issues; theirs are not counted.
    linear.world.issues.splice(0);
    team.record.lastNumber = 0;
    return {
      tracker,
      countCalls: () => linear.seen.length,
      commentsOf: (id) => team.issue(numberOf(id)).comments.map(({ body }) => body),
      seed: async ({ title, body, labels, priority = "", dependsOn, state }) => {
        const issue = team.openIssue({
          title,
          description: body,
          labels,
          priority: PRIORITIES.indexOf(priority),
          state: state === "closed" ? "Done" : "Todo",
        });
        for (const id of dependsOn) team.block(team.issue(numberOf(id)), issue);
        return `ENG-${issue.number}`;
      },
      seedMalformed: async () => {
        const issue = team.openIssue({ title: "Broken" });
        issue.malformed = { url: "nowhere" };
        return `ENG-${issue.number}`;
      },
    };
  },
});

describe("a query of the tracker linear", () => {
  it.each(Object.entries(queries))("%s is valid in Linear's published schema", (_name, query) => {
    expect(validate(linearSchema(), parse(query))).toEqual([]);
  });
});

describe("the tracker linear", () => {
  it("reads every page", async () => {
    const { linear, team, tracker } = aScene();
    for (let n = 1; n <= 120; n += 1) team.openIssue({ title: `Number ${n}` });
    const { issues } = await tracker.list({ state: "open" });
    expect(issues.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => `ENG-${index + 1}`));
    expect(linear.seen).toHaveLength(3);
  });

  it("reads all labels and dependencies of an issue", async () => {
    const { team, tracker } = aScene();
    const labels = Array.from({ length: 45 }, (_, n) => `label-${n}`);
    const issue = team.openIssue({ title: "Last", labels });
    for (let n = 1; n <= 130; n += 1) team.block(team.openIssue({ title: `Before ${n}` }), issue);
    const [found] = await tracker.get(["ENG-1"]);
    expect(found?.labels).toHaveLength(45);
    expect(found?.dependsOn).toHaveLength(130);
  });

  it("lists only issues of its team with the configured labels and assignee", async () => {
    const { linear, team, tracker } = aScene({ labels: ["agent"], assignee: "ada" });
    team.openIssue({ title: "Wanted", labels: ["Agent", "bug"], assignee: "ada" });
    team.openIssue({ title: "Of nobody", labels: ["agent"] });
    team.openIssue({ title: "Without the label", assignee: "ada" });
    linear.createTeam("OPS").openIssue({ title: "Elsewhere", labels: ["agent"], assignee: "ada" });
    expect((await tracker.list({})).issues.map(({ title }) => title)).toEqual(["Wanted"]);
  });

  it("lists the issues of all teams if none is configured, and cannot choose one for a new issue", async () => {
    const { linear, team, tracker } = aScene({ teamId: undefined });
    const other = linear.createTeam("API");
    team.openIssue({ title: "First" });
    other.openIssue({ title: "Second" });
    expect((await tracker.list({})).issues.map(({ id }) => id)).toEqual(["API-1", "ENG-1"]);
    const created = tracker.create?.({ title: "Third", body: "", labels: [], dependsOn: [] });
    await expect(created).rejects.toMatchObject({ category: "config", message: expect.stringContaining("API") });
  });

  it("accepts the id of a team instead of its key", async () => {
    const { linear, team } = aScene();
    team.openIssue({ title: "First" });
    const { tracker } = trackerOn(linear, { teamId: team.record.id }, { LINEAR_API_KEY: linear.token });
    expect((await tracker.list({})).issues).toMatchObject([{ id: "ENG-1" }]);
    expect(await tracker.create?.({ title: "Second", body: "", labels: [], dependsOn: [] })).toMatchObject({
      id: "ENG-2",
    });
  });

  it("finds issues by every form of their ids, of several teams in one query", async () => {
    const { linear, team, tracker } = aScene();
    team.openIssue({ title: "First" }).isArchived = true;
    linear.createTeam("OPS").openIssue({ title: "Second" });
    const ids = ["eng-1", "1", "https://linear.app/example/issue/ENG-1/first", "OPS-1"];
    expect((await tracker.get(ids)).map(({ id }) => id)).toEqual(["ENG-1", "OPS-1"]);
    expect(linear.seen).toHaveLength(1);
  });

  it("fails for an unreadable issue requested by id", async () => {
    const { team, tracker } = aScene();
    team.openIssue({ title: "Broken" }).malformed = { url: "nowhere" };
    await expect(tracker.get(["ENG-1"])).rejects.toMatchObject({
      category: "bad-response",
      message: expect.stringContaining("ENG-1 cannot be read: url"),
    });
  });

  it("sets and removes dependencies, and rejects a missing one before it writes anything", async () => {
    const { linear, team, tracker } = aScene();
    for (const title of ["First", "Second"]) team.openIssue({ title });
    const issue = { title: "Third", body: "", labels: [], dependsOn: ["ENG-1"] };
    expect(await tracker.create?.(issue)).toMatchObject({ id: "ENG-3", dependsOn: ["ENG-1"] });
    expect(await tracker.edit?.("ENG-3", { dependsOn: ["ENG-2"] })).toMatchObject({ dependsOn: ["ENG-2"] });
    await expect(tracker.create?.({ ...issue, dependsOn: ["ENG-99"] })).rejects.toMatchObject({ code: "task-unknown" });
    expect(linear.world.issues).toHaveLength(3);
  });

  it("rejects a priority that Linear does not have", async () => {
    const { team, tracker } = aScene();
    team.openIssue({ title: "First" });
    await expect(tracker.edit?.("ENG-1", { priority: "asap" })).rejects.toMatchObject({
      code: "usage",
      hint: "It has urgent, high, medium, low and none.",
    });
  });

  it("closes and reopens by the first state of the kind, or the configured one", async () => {
    const first = aScene();
    first.team.openIssue({ title: "First", state: "In Progress" });
    await first.tracker.edit?.("ENG-1", { state: "closed" });
    expect(first.team.issue(1).state.name).toBe("Done");
    await first.tracker.edit?.("ENG-1", { state: "open" });
    expect(first.team.issue(1).state.name).toBe("Todo");
    const second = aScene({ states: { closed: "canceled", open: "Backlog" } });
    second.team.openIssue({ title: "First", state: "In Progress" });
    await second.tracker.edit?.("ENG-1", { state: "closed" });
    expect(second.team.issue(1).state.name).toBe("Canceled");
  });

  it("moves an issue forward with the work on it, and never back or out of a closed state", async () => {
    const { team, tracker } = aScene({ states: { working: "In Progress", review: "In Review" } });
    const issue = team.openIssue({ title: "First" });
    await tracker.transition?.("ENG-1", "working");
    expect(issue.state.name).toBe("In Progress");
    await tracker.transition?.("ENG-1", "review");
    expect(issue.state.name).toBe("In Review");
    await tracker.transition?.("ENG-1", "working");
    expect(issue.state.name).toBe("In Review");
    await tracker.edit?.("ENG-1", { state: "closed" });
    await tracker.transition?.("ENG-1", "review");
    expect(issue.state.name).toBe("Done");
  });

  it("leaves the state alone if none is configured", async () => {
    const { linear, team, tracker } = aScene();
    team.openIssue({ title: "First" });
    await tracker.transition?.("ENG-1", "working");
    expect(linear.seen).toEqual([]);
  });

  it("writes a comment once even if the answer was lost", async () => {
    const { linear, team, tracker } = aScene();
    team.openIssue({ title: "First" });
    const comment = { key: "session demo-1", text: "Started" };
    linear.faults.add({ on: /CreateComment/, kind: "lost-answer" });
    await expect(tracker.comment?.("ENG-1", comment)).rejects.toMatchObject({ category: "unknown-outcome" });
    await tracker.comment?.("ENG-1", comment);
    expect(team.issue(1).comments).toMatchObject([{ body: "Started" }]);
  });
});

describe("a failing Linear", () => {
  it.each([
    ["a server error", { kind: "status", status: 502, times: 2 }, { category: "unavailable" }],
    ["a connection that breaks", { kind: "hang-up", times: 2 }, { category: "unavailable" }],
    ["no answer", { kind: "hang" }, { category: "timeout", code: "timeout" }],
    ["a truncated answer", { kind: "truncated" }, { category: "bad-response" }],
    ["no permission", { kind: "status", status: 403 }, { category: "auth" }],
  ] as const)("categorizes %s", async (_name, fault, wanted) => {
    const { linear, tracker } = aScene();
    linear.faults.add({ on: /^POST/, ...fault });
    await expect(tracker.list({})).rejects.toMatchObject({ plugin: "linear", ...wanted });
  });

  it("is called once more after a failed read, and not at all until its rate limit is over", async () => {
    const { linear, tracker } = aScene();
    linear.faults.add({ on: /^POST/, kind: "status", status: 503 });
    expect((await tracker.list({})).issues).toEqual([]);
    linear.faults.add({ on: /^POST/, kind: "secondary-limit", retryAfter: 30 });
    const failure = await tracker.list({}).catch((error: { readonly retryAfterMs: number }) => error);
    expect(failure).toMatchObject({ category: "rate-limited" });
    expect((failure as { readonly retryAfterMs: number }).retryAfterMs).toBeGreaterThan(25_000);
    const before = linear.seen.length;
    await expect(tracker.list({})).rejects.toMatchObject({ category: "rate-limited" });
    expect(linear.seen).toHaveLength(before);
  });

  it("leaves its key in no error and no log line", async () => {
    const { linear, tracker, logged } = aScene();
    linear.revoke(linear.token);
    const failure = (await tracker.list({}).catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ category: "auth", hint: expect.stringContaining("LINEAR_API_KEY") });
    expect(`${failure.stack}${JSON.stringify(failure)}${JSON.stringify(logged)}`).not.toContain(linear.token);
  });
});

describe("`ao doctor` on the tracker linear", () => {
  it("reports whose key it is, and which team", async () => {
    const { tracker } = aScene({ states: { working: "in progress" } });
    expect(await tracker.examine?.()).toEqual({
      state: "ok",
      text: "team ENG as ao, key of LINEAR_API_KEY",
      fix: null,
    });
  });

  it.each([
    ["there is no key", {}, {}, "no LINEAR_API_KEY", "LINEAR_API_KEY"],
    ["the team does not exist", { teamId: "OPS" }, undefined, "Linear has no team OPS", "teamId"],
    ["a state does not exist", { states: { review: "QA" } }, undefined, "team ENG has no state QA", "In Review"],
  ])("reports that %s", async (_name, settings, env, text, fix) => {
    const { tracker } = aScene(settings, env);
    expect(await tracker.examine?.()).toMatchObject({
      state: "fail",
      text: expect.stringContaining(text),
      fix: expect.stringContaining(fix),
    });
  });
});
