import { describe, expect, it } from "vitest";
import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import { countSessions, describeFigures, describeMain, lastMerge } from "./project-state.ts";

function pullRequest(changes: Partial<PullRequestView>): PullRequestView {
  return { phase: "merged", updatedAt: "2026-11-16T04:00:00Z", checks: [], ...changes } as PullRequestView;
}

const check = (state: string) => ({ name: state, state }) as PullRequestView["checks"][number];

describe("a project's activity", () => {
  it("is counted over its own sessions", () => {
    const session = {
      projectId: "tern",
      attention: null,
      state: "working",
      status: "working",
      pullRequests: [],
    } as const;
    const sessions = [
      session,
      { ...session, projectId: "api" },
      { ...session, status: "queued" },
      { ...session, state: "idle", pullRequests: [pullRequest({ phase: "open" })] } as const,
    ];
    expect(countSessions(sessions, "tern")).toEqual({ needsYou: 0, working: 1, queued: 1, inReview: 1 });
  });

  it.each([
    [{ needsYou: 1, working: 2, queued: 1, inReview: 3 }, "1 needs you, 2 working, 3 in review, 1 queued"],
    [{ needsYou: 2, working: 0, queued: 0, inReview: 0 }, "2 need you"],
    [{ needsYou: 0, working: 0, queued: 0, inReview: 0 }, "no open sessions"],
  ])("%o reads %s", (figures, text) => {
    expect(describeFigures(figures)).toBe(text);
  });
});

describe("the state of main", () => {
  it("comes from the newest merge", () => {
    const [old, open, newest] = [
      pullRequest({ number: 1 }),
      pullRequest({ number: 2, phase: "open", updatedAt: "2026-11-16T06:00:00Z" }),
      pullRequest({ number: 3, updatedAt: "2026-11-16T05:00:00Z" }),
    ];
    expect(lastMerge([old, open, newest])).toBe(newest);
    expect(lastMerge([open])).toBeNull();
  });

  it("says what was tested and claims nothing without checks", () => {
    expect(describeMain(pullRequest({}))).toEqual({ text: "merged without checks", isGreen: null });
    const [green, red] = [pullRequest({ checks: [check("passed")] }), pullRequest({ checks: [check("failed")] })];
    expect(describeMain(green)).toEqual({ text: "1 of 1 checks passed", isGreen: true });
    expect(describeMain(red)).toEqual({ text: "0 of 1 checks passed", isGreen: false });
  });
});
