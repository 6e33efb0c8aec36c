import { describe, expect, it } from "vitest";
import { commandOf, firstCommand } from "../protocol/command-of.ts";
import { aProject, aQuestion, aSession, aWorld } from "../testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy, aProblem } from "../testing/change-builders.ts";
import { attentionOf, findEntry, listEntries, listInbox } from "./inbox.ts";

const fine = (): null => null;
const projects = [aProject({ policy: aPolicy(), baseHead: "base1" })];
const escalated = { escalatedAt: 2000, escalations: 1 };

describe("the inbox", () => {
  it("shows what is wrong with a pull request, what was tried, and what to do", () => {
    const change = aChange({ problems: { "ci-failed:unit": aProblem({ ...escalated, sent: 2 }) } });
    const [entry] = listInbox(aWorld({ projects, changes: [change] }), fine);
    expect(entry).toEqual({
      view: {
        id: "demo/1/ci-failed:unit",
        projectId: "demo",
        sessionId: "demo-fix-it",
        pullRequest: "demo/1",
        canAcknowledge: true,
        kind: "ci-failed",
        text: "#1 Fix it: check `unit` failed with exit code 1 on head1; 2 messages did not help",
        choices: [],
        actions: expect.anything(),
        attempts: 2,
        blocks: [],
        rank: 2,
        state: "open",
        snoozedUntil: null,
        at: new Date(2000).toISOString(),
        since: new Date(1000).toISOString(),
      },
      need: expect.objectContaining({
        text: "check `unit` failed with exit code 1 on head1; 2 messages did not help",
        problem: { stream: "change:demo/1", id: "ci-failed:unit" },
      }),
    });
    expect(entry?.view.actions.map(commandOf)).toEqual([
      "ao pr show demo-fix-it --log unit",
      'ao send demo-fix-it "..."',
      "ao pr rerun demo-fix-it unit",
      null,
    ]);
  });

  it("names the rules of a configuration that cannot be evaluated, with their places", () => {
    const [entry] = listInbox(aWorld({ projects }), () => ({ kind: "undecided", text: "f.yaml:3:1: the rule" }));
    expect(entry?.view).toMatchObject({
      id: "demo/config-rules",
      kind: "config-rules",
      text: "ao cannot evaluate some rules: f.yaml:3:1: the rule",
    });
  });

  it("has what happened to a repository, and nothing about the configuration that went with it", () => {
    const warning = { kind: "rewritten", from: "c1", head: "c2", count: 1, sessions: [], at: 5 } as const;
    const project = aProject({ missing: { evidence: "", at: 4 }, baseWarning: warning });
    const entries = listInbox(aWorld({ projects: [project] }), () => ({ kind: "invalid", text: "cannot be read" }));
    expect(entries.map(({ view }) => [view.id, view.sessionId, view.canAcknowledge])).toEqual([
      ["demo/repository-missing", "demo", false],
      ["demo/base-rewritten", "demo", true],
    ]);
  });

  it.each([
    ["approved-and-green", "ao merge demo-fix-it"],
    ["merge-failed", "ao merge demo-fix-it"],
    ["merge-conflict", "ao pr show demo-fix-it"],
    ["merge-waits", "ao pr show demo-fix-it"],
  ])("for %s the command is %s", (key, act) => {
    const change = aChange({ problems: { [key]: aProblem({ id: key, key, ...escalated }) } });
    const [entry] = listInbox(aWorld({ projects, changes: [change] }), fine);
    expect(firstCommand(entry?.view.actions ?? [])).toBe(act);
  });

  it("omits what nobody was notified of, what was dismissed, and what is over", () => {
    const changes = [
      aChange({ problems: { "ci-failed:unit": aProblem({ sent: 1 }) } }),
      aChange({ key: "demo/2", problems: { "ci-failed:unit": aProblem({ ...escalated, acknowledged: true }) } }),
      aChange({ key: "demo/3", phase: "merged", problems: { "ci-failed:unit": aProblem(escalated) } }),
    ];
    expect(listInbox(aWorld({ projects, changes }), fine)).toEqual([]);
  });

  it("asks for a review if only that is missing", () => {
    const mergeability = { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null } as const;
    const change = aChange({ checks: { unit: aCheckRun() }, mergeability });
    const [entry, ...rest] = listInbox(aWorld({ projects, changes: [change] }), fine);
    expect(rest).toEqual([]);
    expect(entry?.view).toMatchObject({ id: "demo/1/review", kind: "review", canAcknowledge: false });
    expect(firstCommand(entry?.view.actions ?? [])).toBe("ao review demo-fix-it");
  });

  it("asks for a review despite a red optional check", () => {
    const mergeability = { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null } as const;
    const checks = { unit: aCheckRun(), flaky: aCheckRun({ name: "flaky", state: "failed" }) };
    const policy = aPolicy({ checks: { unit: aCheckRule(), flaky: aCheckRule({ required: false }) } });
    const change = aChange({ checks, mergeability });
    const world = aWorld({ projects: [aProject({ policy, baseHead: "base1" })], changes: [change] });
    expect(listInbox(world, fine).map(({ view }) => view.text)).toEqual([
      "#1 Fix it: needs 1 approval; optional check `flaky` failed",
    ]);
  });

  it("asks for another review after the agent committed the requested changes", () => {
    const review = { id: "rv-1", author: "ada", verdict: "request-changes", body: { inline: "x" }, at: 5 } as const;
    const change = (head: string, working: boolean) => ({
      sessions: [aSession({ activity: { state: working ? "working" : "idle" } })],
      changes: [aChange({ checks: { unit: aCheckRun() }, reviews: [{ ...review, head }] })],
    });
    const kinds = (head: string, working: boolean) =>
      listInbox(aWorld({ projects, ...change(head, working) }), fine).map(({ view }) => view.text);
    expect(kinds("head0", false)).toEqual(["#1 Fix it: ada requested changes; there is a new commit since"]);
    expect(kinds("head0", true)).toEqual([]);
    expect(kinds("head1", false)).toEqual([]);
  });

  it("does not repeat a pull request's number", () => {
    const problem = aProblem({ id: "approved-and-green", text: "#1 is approved and green", ...escalated });
    const change = aChange({ problems: { "approved-and-green": problem } });
    expect(listInbox(aWorld({ projects, changes: [change] }), fine)[0]?.view.text).toBe(
      "#1 Fix it: it is approved and green",
    );
  });

  it("has an open question once, though it is also an escalated problem", () => {
    const problem = aProblem({ id: "agent-needs-input", key: "agent-needs-input", ...escalated });
    const session = aSession({ question: aQuestion(), problems: { "agent-needs-input": problem } });
    expect(listInbox(aWorld({ projects, sessions: [session] }), fine).map(({ view }) => view.kind)).toEqual([
      "question",
    ]);
  });

  it("has an agent that is gone once, until it is dismissed", () => {
    const problem = aProblem({ id: "agent-exited", key: "agent-exited", ...escalated });
    const session = (acknowledged: boolean) =>
      aSession({
        run: { state: "ended", code: 1, failures: 5, evidence: "exit code 1" },
        problems: { "agent-exited": { ...problem, acknowledged } },
      });
    const [entry, ...rest] = listInbox(aWorld({ projects, sessions: [session(false)] }), fine);
    expect(rest).toEqual([]);
    expect(entry?.need.problem).toEqual({ stream: "session:demo-fix-it", id: "agent-exited" });
    expect(listInbox(aWorld({ projects, sessions: [session(true)] }), fine)).toEqual([]);
  });

  it("has problems that only an agent's silence reveals", () => {
    const problem = aProblem({
      id: "agent-stuck",
      key: "agent-stuck",
      text: "no signal from its agent",
      ...escalated,
    });
    const session = aSession({ problems: { "agent-stuck": problem } });
    const [entry] = listInbox(aWorld({ projects, sessions: [session] }), fine);
    expect(entry?.view).toMatchObject({
      id: "demo-fix-it/agent-stuck",
      text: "Fix it: no signal from its agent",
    });
    expect(firstCommand(entry?.view.actions ?? [])).toBe("ao attach demo-fix-it");
  });

  it("starts with an invalid configuration and then sorts by age", () => {
    const changes = [
      aChange({ key: "demo/1", problems: { "merge-conflict": aProblem({ id: "merge-conflict", escalatedAt: 3000 }) } }),
      aChange({ key: "demo/2", problems: { "merge-conflict": aProblem({ id: "merge-conflict", escalatedAt: 1000 }) } }),
    ];
    const entries = listInbox(aWorld({ projects, changes }), () => ({ kind: "invalid", text: "line 3: no such key" }));
    expect(entries.map(({ view }) => view.id)).toEqual([
      "demo/config",
      "demo/2/merge-conflict",
      "demo/1/merge-conflict",
    ]);
  });
});

describe("a hidden item", () => {
  const problem = aProblem(escalated);
  const changes = [aChange({ problems: { "ci-failed:unit": problem } })];
  const snoozed = (occurrence: string) =>
    aWorld({ projects, changes, fleet: { snoozes: { "demo/1/ci-failed:unit": { until: 9000, occurrence } } } });

  it("is not in the inbox while it is snoozed, but listed as snoozed", () => {
    const world = snoozed(problem.occurrence);
    expect(listInbox(world, fine)).toEqual([]);
    expect(listEntries(world, fine)[0]?.view).toMatchObject({
      state: "snoozed",
      snoozedUntil: new Date(9000).toISOString(),
    });
  });

  it("returns early if it has changed", () => {
    expect(listInbox(snoozed("another failure"), fine)).toHaveLength(1);
  });

  it("is listed as dismissed", () => {
    const dismissed = [aChange({ problems: { "ci-failed:unit": { ...problem, acknowledged: true } } })];
    const world = aWorld({ projects, changes: dismissed });
    expect(listEntries(world, fine).map(({ view }) => view.state)).toEqual(["dismissed"]);
  });
});

describe("the order of the inbox", () => {
  it("starts with a question that blocks other tasks", () => {
    const sessions = [
      aSession({ id: "demo-1", issue: "1", question: aQuestion({ at: 1000 }) }),
      aSession({ id: "demo-2", issue: "2", question: aQuestion({ at: 2000 }) }),
    ];
    const world = aWorld({ projects, sessions, dependents: { 2: ["7", "8"] } });
    expect(listInbox(world, fine).map(({ view }) => [view.sessionId, view.rank, view.blocks])).toEqual([
      ["demo-2", 0, ["7", "8"]],
      ["demo-1", 1, []],
    ]);
  });
});

describe("the entry a person means", () => {
  const changes = [
    aChange({ key: "demo/1", problems: { "ci-failed:unit": aProblem(escalated) } }),
    aChange({
      key: "demo/11",
      problems: {
        "ci-failed:unit": aProblem(escalated),
        "merge-conflict": aProblem({ id: "merge-conflict", ...escalated }),
      },
    }),
  ];
  const entries = listInbox(aWorld({ projects, changes }), fine);

  it.each([
    ["demo/1/ci-failed:unit", "demo/1/ci-failed:unit"],
    ["demo/1/", "demo/1/ci-failed:unit"],
    ["demo/11/m", "demo/11/merge-conflict"],
  ])("%s is %s", (written, id) => {
    expect(findEntry(entries, written).view.id).toBe(id);
  });

  it("is ambiguous if several match, and unknown if none does", () => {
    expect(() => findEntry(entries, "demo/11")).toThrow(
      /could be any of demo\/11\/ci-failed:unit, demo\/11\/merge-conflict/,
    );
    expect(() => findEntry(entries, "demo/7")).toThrow(/no item "demo\/7"/);
  });
});

describe("a session's most urgent need", () => {
  const review = aChange({
    checks: { unit: aCheckRun() },
    mergeability: { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null },
  });

  it("is null while nothing needs a person", () => {
    const session = aSession();
    expect(attentionOf(aWorld({ projects, sessions: [session] }), session, [])).toBeNull();
  });

  it("is a review, without the title that is shown beside it", () => {
    const session = aSession();
    const world = aWorld({ projects, sessions: [session], changes: [review] });
    expect(attentionOf(world, session, [review])).toEqual({
      kind: "review",
      id: "demo/1/review",
      text: "needs 1 approval",
      actions: expect.anything(),
      rank: 4,
      attempts: null,
      at: new Date(review.updatedAt).toISOString(),
      since: new Date(review.updatedAt).toISOString(),
    });
  });

  it("is the question before an older review", () => {
    const session = aSession({ question: aQuestion({ at: review.updatedAt + 1000 }) });
    const world = aWorld({ projects, sessions: [session], changes: [review] });
    expect(attentionOf(world, session, [review])?.kind).toBe("question");
  });

  it("distinguishes a permission from a question", () => {
    const session = aSession({ question: aQuestion({ kind: "permission" }) });
    expect(attentionOf(aWorld({ projects, sessions: [session] }), session, [])?.kind).toBe("permission");
  });
});
