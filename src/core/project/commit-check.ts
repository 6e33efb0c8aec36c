import type { CheckRun } from "../change/state.ts";
import type { ProjectState } from "./state.ts";

/** A red result is checked once more before anybody hears of it. */
const MAX_ATTEMPTS = 2;

/** How a commit of the project stands with one check; null: that is not known yet. */
export function resultOn(project: ProjectState, commit: string, check: string): CheckRun["state"] | null {
  const run = project.commitChecks?.[commit]?.[check];
  if (run === undefined || !isOver(run)) return null;
  // A forge runs its checks itself, and how often is its business.
  const isFinal = run.state === "passed" || run.attempt >= MAX_ATTEMPTS || run.ref !== undefined;
  return isFinal ? run.state : null;
}

/** The attempt that is still to end before the result is known: the one that runs, or the next one. */
export function nextAttempt(project: ProjectState, commit: string, check: string): number {
  const run = project.commitChecks?.[commit]?.[check];
  return (run?.attempt ?? 1) + (run !== undefined && isOver(run) ? 1 : 0);
}

function isOver({ state }: CheckRun): boolean {
  return state !== "running" && state !== "queued";
}
