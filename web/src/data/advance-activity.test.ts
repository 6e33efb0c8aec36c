import { describe, expect, it } from "vitest";
import { anAttention, aSession } from "../../../test/support/session-views.ts";
import { advanceActivity } from "./advance-activity.ts";

const T1 = "2026-01-01T00:01:00Z";
const T2 = "2026-01-01T00:02:00Z";
const working = aSession({ status: "working", state: "working" });
const begun = advanceActivity(undefined, working, T1);

describe("the activity of a session", () => {
  it("starts with its first state", () => {
    expect(begun).toEqual({ agent: [{ kind: "working", from: T1, to: null }], checks: [], mergedAt: null });
  });

  it("stays the same while the state does", () => {
    expect(advanceActivity(begun, working, T2).agent).toBe(begun.agent);
  });

  it("closes a segment when the state changes", () => {
    const asks = aSession({ status: "needs-input", state: "waiting", attention: anAttention("question") });
    expect(advanceActivity(begun, asks, T2).agent).toEqual([
      { kind: "working", from: T1, to: T2 },
      { kind: "question", from: T2, to: null },
    ]);
  });

  it("shows waiting for a review as its own kind", () => {
    const review = aSession({ status: "review-pending", state: "idle", attention: anAttention("review") });
    expect(advanceActivity(undefined, review, T1).agent.at(-1)?.kind).toBe("review");
  });

  it("ends with a merge", () => {
    const merged = aSession({ status: "merged", state: "idle" });
    expect(advanceActivity(begun, merged, T2)).toEqual({
      agent: [{ kind: "working", from: T1, to: T2 }],
      checks: [],
      mergedAt: T2,
    });
  });
});
