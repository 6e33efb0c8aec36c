import { describe, expect, it } from "vitest";
import { anAttention, aSession } from "../../test/support/session-views.ts";
import { countSessions, groupOf, sortSessions } from "./fleet-order.ts";
import { needRank } from "./need-order.ts";
import type { SessionView } from "./views/session.ts";

function needing(kind: string, changes: Partial<SessionView> = {}): SessionView {
  return aSession({ attention: anAttention(kind), ...changes });
}

describe("a session's group", () => {
  it.each([
    ["working", "working"],
    ["idle", "working"],
    ["rate-limited", "working"],
    ["paused", "working"],
    ["queued", "queued"],
    ["checks-running", "in-review"],
    ["review-pending", "in-review"],
    ["merging", "in-review"],
    ["stopped", "done"],
    ["merged", "done"],
  ])("%s belongs to %s", (status, group) => {
    expect(groupOf(aSession({ status }))).toBe(group);
  });

  it("is needs-you as soon as something needs a person, whatever the status", () => {
    for (const status of ["working", "checks-running", "queued"]) {
      expect(groupOf(needing("review", { status }))).toBe("needs-you");
    }
  });
});

it("ranks questions before failures, merges, reviews and idle agents", () => {
  const kinds = ["agent-idle", "review", "approved-and-green", "ci-failed", "agent-exited", "question"];
  expect([...kinds].sort((a, b) => needRank(a, 0) - needRank(b, 0))).toEqual([
    "question",
    "ci-failed",
    "agent-exited",
    "approved-and-green",
    "review",
    "agent-idle",
  ]);
});

it("sorts by group, by urgency, then oldest first, whatever the input order", () => {
  const expected = [
    needing("question", { id: "asks" }),
    needing("review", { id: "review-old", createdAt: "2025-01-01T00:00:00Z" }),
    needing("review", { id: "review-new" }),
    aSession({ id: "checked", status: "checks-running" }),
    aSession({ id: "a-works" }),
    aSession({ id: "b-works" }),
    aSession({ id: "idle", status: "idle", createdAt: "2025-01-01T00:00:00Z" }),
    aSession({ id: "queued", status: "queued" }),
    aSession({ id: "gone", status: "stopped" }),
  ];
  expect(sortSessions([...expected].reverse())).toEqual(expected);
  expect(sortSessions(expected)).toEqual(expected);
});

it("counts each session once", () => {
  const sessions = [
    needing("review", { status: "idle" }),
    aSession(),
    aSession({ status: "idle" }),
    aSession({ status: "queued" }),
    aSession({ status: "merging" }),
    aSession({ status: "stopped" }),
  ];
  expect(countSessions(sessions)).toEqual({ total: 6, needYou: 1, inReview: 1, working: 1, idle: 1, queued: 1 });
});
