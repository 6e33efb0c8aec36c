import { expect, it } from "vitest";
import { describeRuns, heightsOf, kindOfRun } from "./check-history.ts";

const run = (state: string, tookMs: number | null, flaky = false) => ({
  ...{ state, tookMs, flaky },
  ...{ head: "a", pullRequest: "tern/1", attempt: 1, at: "2026-11-16T04:00:00Z" },
});

it("runs are summarized by their usual time, failures and flakes", () => {
  const runs = [run("passed", 38_000), run("failed", 20_000), run("passed", 41_000, true), run("running", null)];
  expect(describeRuns(runs)).toBe("38 s, 1 failure, flaky, 1 of 4");
  expect(describeRuns([])).toBe("");
  expect(heightsOf(runs)).toEqual([93, 49, 100, 12]);
});

it.each([
  ["passed", false, "passed"],
  ["passed", true, "flaky"],
  ["timed-out", false, "failed"],
  ["queued", false, "running"],
] as const)("a run that is %s (flaky: %s) is shown as %s", (state, flaky, kind) => {
  expect(kindOfRun({ state, flaky })).toBe(kind);
});
