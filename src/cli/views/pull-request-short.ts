import { describeElapsed } from "../../core/change/progress.ts";
import type { CheckView, PullRequestView } from "../../protocol/views/pull-request.ts";

const BAD = ["failed", "timed-out", "setup-failed", "unknown"];

/** A session's pull request in one cell: `#3 1/2 failed`, `#4 1/1 on #3`; empty if there is none. */
export function describePull(pulls: readonly PullRequestView[]): string {
  const pull = pulls.find(({ phase }) => phase === "open") ?? pulls.at(-1);
  if (pull === undefined) return "";
  const state = pull.phase === "open" ? describeChecks(pull.checks) : pull.phase;
  const on = pull.on === undefined ? "" : ` on ${pull.on}`;
  return `${state === "" ? `#${pull.number}` : `#${pull.number} ${state}`}${on}`;
}

/**
 * How many checks have passed, and the worst of the others; a red optional one comes last. With `now`, what is running
 * and for how long.
 */
export function describeChecks(checks: readonly CheckView[], now: number | null = null): string {
  if (checks.length === 0) return "";
  const passed = checks.filter(({ state }) => state === "passed").length;
  const bad = checks.filter(({ state }) => BAD.includes(state));
  const red = bad.find(({ required }) => required);
  const busy = checks.find(({ state }) => state === "running") ?? checks.find(({ state }) => state === "queued");
  const work = busy === undefined || now === null ? busy?.state : describeCheckState(busy, now);
  const rest = red?.state ?? work ?? (bad[0] === undefined ? "" : `(optional ${bad[0].state})`);
  return `${passed}/${checks.length}${rest === "" ? "" : ` ${rest}`}`;
}

/** The state of a check: `passed`, `running: set-up, 41 s`. */
export function describeCheckState({ state, phase, startedAt }: CheckView, now: number): string {
  if (state !== "running" || startedAt === null) return state;
  const elapsed = describeElapsed(Math.max(0, now - Date.parse(startedAt)));
  return `running: ${phase === "set-up" ? "set-up, " : ""}${elapsed}`;
}
