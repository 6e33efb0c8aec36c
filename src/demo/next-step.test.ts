import { describe, expect, it } from "vitest";
import {
  demoChange,
  demoCheck,
  demoQuestion,
  demoRequest,
  demoSession,
  demoView,
} from "../../test/support/demo-views.ts";
import type { DemoView } from "./demo-view.ts";
import { nextStep } from "./next-step.ts";
import { describeStep } from "./run-demo.ts";

const merged = { phase: "merged", status: "merged" } as const;

/** The next step as a sentence; null: nothing. */
function stepIn(view: Partial<DemoView>): string | null {
  const step = nextStep(demoView(view), new Set());
  return step === null ? null : describeStep(step).what;
}

describe("the demo's people", () => {
  it.each<[string, Partial<DemoView>, string | null]>([
    ["wait if there is nothing", {}, null],
    ["approve a green pull request", { pullRequests: [demoChange("1")] }, "approves #1 (Task 1)"],
    ["take the oldest first", { pullRequests: [demoChange("7"), demoChange("2")] }, "approves #2 (Task 2)"],
    ["wait for checks that have not run", { pullRequests: [demoChange("1", { checks: [] })] }, null],
    [
      "do not approve what is red",
      { pullRequests: [demoChange("1", { checks: [demoCheck({ state: "failed" })] })] },
      null,
    ],
    [
      "do not count checks of an older commit",
      { pullRequests: [demoChange("1", { checks: [demoCheck({ head: "older" })] })] },
      null,
    ],
    [
      "ignore a check that is not required",
      { pullRequests: [demoChange("1", { checks: [demoCheck(), demoCheck({ required: false, state: "failed" })] })] },
      "approves #1 (Task 1)",
    ],
    ["approve once", { pullRequests: [demoChange("1", { approvals: ["demo-reviewer"], status: "merging" })] }, null],
    ["leave a conflict to the agent", { pullRequests: [demoChange("1", { status: "conflict" })] }, null],
    ["leave a merged pull request alone", { pullRequests: [demoChange("1", merged)] }, null],
    [
      "ask for a change in the pond",
      { pullRequests: [demoChange("3")], reviews: {} },
      expect.stringMatching(/^requests a change in #3, at src\/layers\/pond\.js:5: "/) as unknown as string,
    ],
    [
      "wait until the agent has made the change",
      {
        pullRequests: [demoChange("3", { status: "changes-requested" })],
        reviews: { "garden/3": [demoRequest("aaaaaaaaaa")] },
      },
      null,
    ],
    [
      "approve the pond when the change is there and green",
      {
        pullRequests: [demoChange("3", { status: "changes-requested", head: "bbb" })],
        reviews: { "garden/3": [demoRequest("aaaaaaaaaa")] },
      },
      "approves #3 (Task 3)",
    ],
    ["hold the fence until the butterflies are open", { pullRequests: [demoChange("4")] }, null],
    [
      "approve the fence when the butterflies are open",
      { pullRequests: [demoChange("4"), demoChange("5")] },
      "approves #4 (Task 4)",
    ],
    ["hold the butterflies until the fence is merged", { pullRequests: [demoChange("5")] }, null],
    [
      "approve the butterflies after the fence",
      { pullRequests: [demoChange("4", merged), demoChange("5")] },
      "approves #5 (Task 5)",
    ],
    [
      "answer a question before anything else",
      { sessions: [demoSession("6")], inbox: [demoQuestion("6", ["west", "east"])], pullRequests: [demoChange("1")] },
      "answers garden-6: east",
    ],
    [
      "pick the first choice of an unknown question",
      { sessions: [demoSession("1")], inbox: [demoQuestion("1", ["a", "b"])] },
      "answers garden-1: a",
    ],
    [
      "pick the first choice if theirs is not offered",
      { sessions: [demoSession("6")], inbox: [demoQuestion("6", ["north"])] },
      "answers garden-6: north",
    ],
    [
      "answer only questions, and only those of the demo",
      { inbox: [{ ...demoQuestion("1", ["a"]), kind: "agent-exited" }, demoQuestion("9", ["a"])] },
      null,
    ],
  ])("%s", (_name, view, expected) => {
    expect(stepIn(view)).toEqual(expected);
  });

  it("never repeat a step, even before the view shows it", () => {
    const view = demoView({ pullRequests: [demoChange("1", { head: "ccc" }), demoChange("2")] });
    expect(nextStep(view, new Set(["approve #1 at ccc"]))).toMatchObject({ change: { number: 2 } });
  });

  it("review exactly the commit they saw, under a name that identifies the demo", () => {
    const step = nextStep(demoView({ pullRequests: [demoChange("1", { head: "ccc" })] }), new Set());
    expect(step).toMatchObject({
      kind: "review",
      review: { verdict: "approve", head: "ccc", author: "demo-reviewer" },
    });
  });
});
