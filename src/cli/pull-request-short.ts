import type { CheckView, PullRequestView } from "../protocol/view.ts";

const BAD = ["failed", "timed-out", "setup-failed", "unknown"];

/** A session's pull request in one cell: `#3 1/2 failed`; empty when there is none. */
export function describePull(pulls: readonly PullRequestView[]): string {
  const pull = pulls.find(({ phase }) => phase === "open") ?? pulls.at(-1);
  if (pull === undefined) return "";
  const state = pull.phase === "open" ? describeChecks(pull.checks) : pull.phase;
  return state === "" ? `#${pull.number}` : `#${pull.number} ${state}`;
}

/** How many checks have passed, and the worst of the others. */
export function describeChecks(checks: readonly CheckView[]): string {
  if (checks.length === 0) return "";
  const passed = checks.filter(({ state }) => state === "passed").length;
  const bad = checks.find(({ state }) => BAD.includes(state));
  const busy = checks.find(({ state }) => state === "running" || state === "queued");
  const rest = bad?.state ?? busy?.state ?? "";
  return `${passed}/${checks.length}${rest === "" ? "" : ` ${rest}`}`;
}
