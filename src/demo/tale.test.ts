import { describe, expect, it } from "vitest";
import { demoEvent as event } from "../../test/support/demo-views.ts";
import type { EventView } from "../protocol/views/event.ts";
import { countOverlap, evolveTale, NO_TALE, type Tale } from "./tale.ts";

const tell = (...events: readonly EventView[]): Tale => events.reduce(evolveTale, NO_TALE);

describe("the tale of a session", () => {
  it("counts an agent that died, and not one that was stopped", () => {
    const { sessions } = tell(
      event("session:a", "run.started", {}, 1),
      event("session:a", "run.ended", {}, 2),
      event("session:a", "run.started", {}, 3),
      event("session:a", "agent.answered", {}, 4),
      event("session:a", "branch.seen", { ahead: 2 }, 5),
      event("session:a", "branch.seen", { ahead: 0 }, 6),
      event("session:a", "session.stop-requested", {}, 7),
      event("session:a", "run.ended", {}, 8),
      event("session:a", "session.stopped", {}, 9),
    );
    expect(sessions["a"]).toMatchObject({ deaths: 1, answers: 1, commits: 2 });
    expect((sessions["a"]?.stoppedAt ?? 0) - (sessions["a"]?.startedAt ?? 0)).toBe(8000);
  });
});

describe("the tale of a pull request", () => {
  it("records what went wrong and how it ended", () => {
    const { changes } = tell(
      event("pull-request:garden/1", "pull-request.opened", { sessionId: "a" }),
      event("pull-request:garden/1", "check.finished", { state: "failed" }),
      event("pull-request:garden/1", "check.finished", { state: "passed" }),
      event("pull-request:garden/1", "review.given", { verdict: "request-changes" }),
      event("pull-request:garden/1", "review.given", { verdict: "approve" }),
      event("pull-request:garden/1", "pull-request.tried", { kind: "clean" }),
      event("pull-request:garden/1", "pull-request.tried", { kind: "conflict" }),
      event("pull-request:garden/1", "pull-request.merged", {}, 5),
      event("pull-request:garden/1", "branch.settled"),
    );
    expect(changes["garden/1"]).toEqual({
      sessionId: "a",
      reds: 1,
      requests: 1,
      conflicts: 1,
      mergedAt: Date.parse("2026-01-01T00:00:05.000Z"),
      isBranchSettled: true,
      isIssueSettled: false,
    });
  });

  it("ignores events of others", () => {
    expect(tell(event("fleet", "daemon.started"), event("project:garden", "project.registered"))).toEqual(NO_TALE);
  });
});

describe("the overlap", () => {
  const span = (id: string, from: number, to: number | null): readonly EventView[] => [
    event(`session:${id}`, "run.started", {}, from),
    ...(to === null ? [] : [event(`session:${id}`, "session.stopped", {}, to)]),
  ];

  it.each([
    [[], 0],
    [span("a", 1, 2), 1],
    [[...span("a", 1, 5), ...span("b", 2, 4), ...span("c", 4, 6)], 2],
    [[...span("a", 1, null), ...span("b", 2, null), ...span("c", 3, null)], 3],
  ])("of %j is %i", (events, expected) => {
    expect(countOverlap(tell(...events))).toBe(expected);
  });
});
