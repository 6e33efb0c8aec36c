import { expect, it } from "vitest";
import { addCheckRun, type CheckHistory, MAX_RUNS } from "./check-history.ts";

type Ended = Parameters<typeof addCheckRun>[1];

function run(head: string, state: Ended["state"], attempt = 1): Ended {
  return { type: "check.finished", name: "e2e", head, attempt, state, code: 0, log: null, fingerprint: "", tookMs: 5 };
}

function historyOf(...runs: readonly Ended[]): CheckHistory {
  return runs.reduce<CheckHistory>((all, one, at) => addCheckRun(all, one, { changeKey: "demo/1", at }), {});
}

const show = (history: CheckHistory): readonly string[] =>
  (history["e2e"] ?? []).map(({ head, state, flaky }) => `${head} ${state}${flaky ? " flaky" : ""}`);

it("marks runs that failed and passed on the same commit", () => {
  const history = historyOf(run("a", "failed"), run("a", "passed", 2), run("b", "failed"), run("b", "failed", 2));
  expect(show(history)).toEqual(["a failed flaky", "a passed flaky", "b failed", "b failed"]);
});

it("does not count a failed set-up as a verdict, and omits canceled runs", () => {
  expect(show(historyOf(run("a", "setup-failed"), run("a", "passed"), run("a", "cancelled")))).toEqual([
    "a setup-failed",
    "a passed",
  ]);
});

it("keeps the last runs", () => {
  const runs = Array.from({ length: 60 }, (_, n) => run(`c${n}`, "passed"));
  expect(show(historyOf(...runs))).toHaveLength(MAX_RUNS);
});
