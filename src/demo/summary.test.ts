import { describe, expect, it } from "vitest";
import { demoChange, demoEvent, demoQuestion, demoSession, demoView } from "../../test/support/demo-views.ts";
import { summarize } from "./summary.ts";
import { evolveTale, NO_TALE } from "./tale.ts";

const merged = { phase: "merged", status: "merged" } as const;
const gone = { status: "merged" } as const;

describe("the summary", () => {
  const view = demoView({
    sessions: [
      demoSession("1", gone),
      demoSession("2", gone),
      demoSession("3", { status: "conflict", evidence: "it conflicts" }),
    ],
    pullRequests: [
      demoChange("1", merged),
      demoChange("2", merged),
      demoChange("3", { status: "conflict", blockers: ["no"] }),
    ],
    inbox: [{ ...demoQuestion("3", []), text: "escalated" }],
  });
  const tale = [
    demoEvent("session:garden-1", "run.started", {}, 0),
    demoEvent("session:garden-2", "run.started", {}, 1),
    demoEvent("session:garden-1", "branch.seen", { ahead: 2 }),
    demoEvent("pull-request:garden/1", "check.finished", { state: "failed" }),
    demoEvent("session:garden-1", "agent.answered"),
    demoEvent("pull-request:garden/1", "pull-request.merged"),
    demoEvent("pull-request:garden/2", "pull-request.merged"),
    demoEvent("pull-request:garden/3", "pull-request.tried", { kind: "conflict" }),
  ].reduce(evolveTale, NO_TALE);
  const summary = summarize(view, tale, 12_345);

  it("has a row per task with what happened to it", () => {
    expect(summary.rows.slice(1)).toEqual([
      ["Task 1", "garden-1", "#1", "2", "question answered, red check fixed"],
      ["Task 2", "garden-2", "#2", "0", "merged first time"],
      ["Task 3", "garden-3", "#3", "0", "not merged"],
    ]);
  });

  it("counts only what was merged and overcome", () => {
    expect(summary.merged).toBe(2);
    expect(summary.sentence).toBe(
      "2 merged in 12 s: 2 agents at the same time, 1 red check fixed, 0 requested changes made, 0 conflicts resolved, 1 question answered, 0 agents recovered from a kill.",
    );
  });

  it("reports what is stuck and why", () => {
    expect(summary.stuck).toEqual(["garden-3 is conflict: it conflicts; pull request #3 is conflict; no; escalated"]);
  });
});
