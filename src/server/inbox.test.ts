import { describe, expect, it } from "vitest";
import { aProject, aQuestion, aSession, aWorld } from "../testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy, aProblem } from "../testing/change-builders.ts";
import { attentionOf, findEntry, listInbox } from "./inbox.ts";

const fine = (): null => null;
const projects = [aProject({ policy: aPolicy(), baseHead: "base1" })];
const told = { escalatedAt: 2000, escalations: 1 };

describe("the inbox", () => {
  it("says what is wrong with a pull request, what was tried, and what to do", () => {
    const change = aChange({ problems: { "ci-failed:unit": aProblem({ ...told, sent: 2 }) } });
    const [entry] = listInbox(aWorld({ projects, changes: [change] }), fine);
    expect(entry).toEqual({
      view: {
        id: "demo/1/ci-failed:unit",
        sessionId: "demo-fix-it",
        pullRequest: "demo/1",
        canAcknowledge: true,
        kind: "ci-failed",
        text: "#1 Fix it: check `unit` failed with exit code 1 on head1; 2 messages did not help",
        choices: [],
        act: "ao pr show demo-fix-it --log unit",
        at: new Date(2000).toISOString(),
      },
      need: "check `unit` failed with exit code 1 on head1; 2 messages did not help",
      problem: { stream: "change:demo/1", id: "ci-failed:unit" },
    });
  });

  it.each([
    ["approved-and-green", "ao merge demo-fix-it"],
    ["merge-failed", "ao merge demo-fix-it"],
    ["merge-conflict", "ao pr show demo-fix-it"],
    ["merge-waits", "ao pr show demo-fix-it"],
  ])("for %s the command is %s", (key, act) => {
    const change = aChange({ problems: { [key]: aProblem({ id: key, key, ...told }) } });
    expect(listInbox(aWorld({ projects, changes: [change] }), fine)[0]?.view.act).toBe(act);
  });

  it("has nothing that no person was told of, that was put aside, or that is over", () => {
    const changes = [
      aChange({ problems: { "ci-failed:unit": aProblem({ sent: 1 }) } }),
      aChange({ key: "demo/2", problems: { "ci-failed:unit": aProblem({ ...told, acknowledged: true }) } }),
      aChange({ key: "demo/3", phase: "merged", problems: { "ci-failed:unit": aProblem(told) } }),
    ];
    expect(listInbox(aWorld({ projects, changes }), fine)).toEqual([]);
  });

  it("asks for a review when only that is missing", () => {
    const mergeability = { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null } as const;
    const change = aChange({ checks: { unit: aCheckRun() }, mergeability });
    const [entry, ...rest] = listInbox(aWorld({ projects, changes: [change] }), fine);
    expect(rest).toEqual([]);
    expect(entry?.view).toMatchObject({ id: "demo/1/review", kind: "review", act: "ao review demo-fix-it" });
    expect(entry?.problem).toBeNull();
  });

  it("asks for a review beside an optional check that is red", () => {
    const mergeability = { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null } as const;
    const checks = { unit: aCheckRun(), flaky: aCheckRun({ name: "flaky", state: "failed" }) };
    const policy = aPolicy({ checks: { unit: aCheckRule(), flaky: aCheckRule({ required: false }) } });
    const change = aChange({ checks, mergeability });
    const world = aWorld({ projects: [aProject({ policy, baseHead: "base1" })], changes: [change] });
    expect(listInbox(world, fine).map(({ view }) => view.text)).toEqual([
      "#1 Fix it: needs 1 approval; optional check `flaky` failed",
    ]);
  });

  it("asks for another look after the agent has committed what was asked for", () => {
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

  it("does not say the number of a pull request twice", () => {
    const problem = aProblem({ id: "approved-and-green", text: "#1 is approved and green", ...told });
    const change = aChange({ problems: { "approved-and-green": problem } });
    expect(listInbox(aWorld({ projects, changes: [change] }), fine)[0]?.view.text).toBe(
      "#1 Fix it: it is approved and green",
    );
  });

  it("has an open question once, though it is also a problem that a person was told of", () => {
    const problem = aProblem({ id: "agent-needs-input", key: "agent-needs-input", ...told });
    const session = aSession({ question: aQuestion(), problems: { "agent-needs-input": problem } });
    expect(listInbox(aWorld({ projects, sessions: [session] }), fine).map(({ view }) => view.kind)).toEqual([
      "question",
    ]);
  });

  it("has an agent that is gone once, until it is put aside", () => {
    const problem = aProblem({ id: "agent-exited", key: "agent-exited", ...told });
    const session = (acknowledged: boolean) =>
      aSession({
        run: { state: "ended", code: 1, failures: 5, evidence: "exit code 1" },
        problems: { "agent-exited": { ...problem, acknowledged } },
      });
    const [entry, ...rest] = listInbox(aWorld({ projects, sessions: [session(false)] }), fine);
    expect(rest).toEqual([]);
    expect(entry?.problem).toEqual({ stream: "session:demo-fix-it", id: "agent-exited" });
    expect(listInbox(aWorld({ projects, sessions: [session(true)] }), fine)).toEqual([]);
  });

  it("has troubles of an agent that only its silence shows", () => {
    const problem = aProblem({
      id: "agent-stuck",
      key: "agent-stuck",
      text: "nothing was heard of its agent",
      ...told,
    });
    const session = aSession({ problems: { "agent-stuck": problem } });
    expect(listInbox(aWorld({ projects, sessions: [session] }), fine)[0]?.view).toMatchObject({
      id: "demo-fix-it/agent-stuck",
      text: "Fix it: nothing was heard of its agent",
      act: "ao attach demo-fix-it",
    });
  });

  it("begins with a bad configuration and then goes by age", () => {
    const changes = [
      aChange({ key: "demo/1", problems: { "merge-conflict": aProblem({ id: "merge-conflict", escalatedAt: 3000 }) } }),
      aChange({ key: "demo/2", problems: { "merge-conflict": aProblem({ id: "merge-conflict", escalatedAt: 1000 }) } }),
    ];
    const entries = listInbox(aWorld({ projects, changes }), () => "line 3: no such key");
    expect(entries.map(({ view }) => view.id)).toEqual([
      "demo/config",
      "demo/2/merge-conflict",
      "demo/1/merge-conflict",
    ]);
  });
});

describe("the entry a person means", () => {
  const changes = [
    aChange({ key: "demo/1", problems: { "ci-failed:unit": aProblem(told) } }),
    aChange({
      key: "demo/11",
      problems: { "ci-failed:unit": aProblem(told), "merge-conflict": aProblem({ id: "merge-conflict", ...told }) },
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

  it("is asked for again when several fit, and unknown when none does", () => {
    expect(() => findEntry(entries, "demo/11")).toThrow(
      /could be any of demo\/11\/ci-failed:unit, demo\/11\/merge-conflict/,
    );
    expect(() => findEntry(entries, "demo/7")).toThrow(/no item "demo\/7"/);
  });
});

describe("what a session needs most", () => {
  const review = aChange({
    checks: { unit: aCheckRun() },
    mergeability: { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null },
  });

  it("is null while nothing needs a person", () => {
    const session = aSession();
    expect(attentionOf(aWorld({ projects, sessions: [session] }), session, [])).toBeNull();
  });

  it("is a review, told without the title that stands beside it", () => {
    const session = aSession();
    const world = aWorld({ projects, sessions: [session], changes: [review] });
    expect(attentionOf(world, session, [review])).toEqual({
      kind: "review",
      text: listInbox(world, fine)[0]?.need,
      act: "ao review demo-fix-it",
      at: new Date(review.updatedAt).toISOString(),
    });
    expect(listInbox(world, fine)[0]?.need).not.toContain(review.title);
  });

  it("is the question before an older review", () => {
    const session = aSession({ question: aQuestion({ at: review.updatedAt + 1000 }) });
    const world = aWorld({ projects, sessions: [session], changes: [review] });
    expect(attentionOf(world, session, [review])?.kind).toBe("question");
  });

  it("tells a permission from a question", () => {
    const session = aSession({ question: aQuestion({ kind: "permission" }) });
    expect(attentionOf(aWorld({ projects, sessions: [session] }), session, [])?.kind).toBe("permission");
  });
});
