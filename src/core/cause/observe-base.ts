import { type ChangeObservation, isReportedRed, type ReportedCheck } from "../change/observation.ts";
import { type Emitted, onProject } from "../event.ts";
import type { ProjectState } from "../project/state.ts";

/** Checks of the base that a forge ran and that are worth knowing now, because a pull request fails them; only ended ones. */
export function comparableOnBase<T>(
  project: Pick<ProjectState, "commitChecks" | "policy">,
  seen: ChangeObservation<T>,
): readonly ReportedCheck<T>[] {
  const red = new Set((seen.checks ?? []).filter(isReportedRed).map(({ name }) => name));
  const known = project.commitChecks?.[seen.baseHead] ?? {};
  const own = project.policy?.checks ?? {};
  return (seen.baseChecks ?? []).filter(({ name, ref, state }) => {
    if (!red.has(name) || own[name] !== undefined || state === "running") return false;
    return known[name]?.ref !== ref || known[name]?.state !== state;
  });
}

/** Records how the base stands with the checks that a pull request fails. */
export function decideBaseChecks(project: ProjectState, seen: ChangeObservation): readonly Emitted[] {
  const commit = seen.baseHead;
  if (commit === "") return [];
  return comparableOnBase(project, seen).flatMap(({ name, ref, state, log, tookMs, tests, fingerprint = "" }) => {
    if (state === "running") return [];
    const attempt = (project.commitChecks?.[commit]?.[name]?.attempt ?? 0) + 1;
    const facts = { state, code: null, log, fingerprint, tookMs };
    const named = tests === undefined ? {} : { tests };
    return onProject(project.id, { type: "commit.check-finished", commit, name, attempt, ref, ...facts, ...named });
  });
}
