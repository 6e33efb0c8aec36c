import type { CheckHistoryView } from "../../../../src/protocol/views/check-history.ts";
import { formatSpan } from "../../lib/time.ts";

type Check = CheckHistoryView["data"][number];
type Run = Check["runs"][number];

/** The kind of a run: passed, failed, flaky (failed and passed on the same commit), or still running. */
export function kindOfRun({ state, flaky }: Pick<Run, "state" | "flaky">): "passed" | "failed" | "flaky" | "running" {
  if (flaky) return "flaky";
  if (state === "passed") return "passed";
  return state === "running" || state === "queued" ? "running" : "failed";
}

/** "38 s, 5 failures, 2 flaky": the usual time and what went wrong. */
export function describeRuns(runs: readonly Run[]): string {
  const times = runs
    .map(({ tookMs }) => tookMs)
    .filter((ms) => ms !== null)
    .sort((a, b) => a - b);
  const usual = times[Math.floor(times.length / 2)];
  const count = (kind: string): number => runs.filter((run) => kindOfRun(run) === kind).length;
  const [failed, flaky] = [count("failed"), count("flaky")];
  return [
    ...(usual === undefined ? [] : [formatSpan(usual)]),
    ...(failed === 0 ? [] : [`${failed} ${failed === 1 ? "failure" : "failures"}`]),
    ...(flaky === 0 ? [] : [`flaky, ${flaky} of ${runs.length}`]),
  ].join(", ");
}

/** Bar heights in percent: the longest run is full height, and every run is visible. */
export function heightsOf(runs: readonly Run[]): readonly number[] {
  const longest = Math.max(1, ...runs.map(({ tookMs }) => tookMs ?? 0));
  return runs.map(({ tookMs }) => Math.max(12, Math.round((100 * (tookMs ?? 0)) / longest)));
}
