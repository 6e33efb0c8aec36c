import type { CheckRun } from "../change/state.ts";
import type { Intent } from "../intent.ts";
import type { ProjectPolicy } from "../policy.ts";
import { resultOn } from "../project/commit-check.ts";
import { checkIntent } from "../project/intent.ts";
import type { ProjectState } from "../project/state.ts";
import { isPaused, type World } from "../world.ts";
import type { BaseResult } from "./decide-cause.ts";

export type KnownProject = ProjectState & { readonly policy: ProjectPolicy };

/** Compares a red check with the newest commit of the base. */
export function compareWithBase(project: KnownProject, run: CheckRun): BaseResult {
  const { baseHead, policy, commitChecks } = project;
  if (baseHead === null) return "unknown";
  const there = commitChecks?.[baseHead]?.[run.name];
  switch (resultOn(project, baseHead, run.name)) {
    case null:
      // A forge may never end a check there, or start it: where merges are frequent, the next one comes first.
      return policy.checks[run.name] !== undefined || run.attribution?.cause === "base" ? "pending" : "unknown";
    case "passed":
      return "passed";
    case "failed":
    case "timed-out":
      return there !== undefined && isSameFailure(run, there) ? "same" : "different";
    default:
      return "unknown";
  }
}

/** Does a check fail on a branch in no other way than on the base? Its tests tell, or else its output. */
export function isSameFailure(run: Failed, onBase: Failed): boolean {
  const [own, known] = [run.tests ?? [], onBase.tests ?? []];
  if (own.length > 0 || known.length > 0) return own.length > 0 && own.every((test) => known.includes(test));
  if (run.state === "timed-out" || onBase.state === "timed-out") return run.state === onBase.state;
  return run.code === onBase.code && run.fingerprint === onBase.fingerprint;
}

type Failed = Pick<CheckRun, "state" | "code" | "fingerprint" | "tests">;

/** Checks that somebody asked for on the newest commit of the base. */
export function comparisonsWanted(world: World, project: ProjectState): readonly Intent[] {
  const { id, policy, baseHead: commit, commitChecks } = project;
  if (policy === null || commit === null) return [];
  const isHeld = isPaused(world, id);
  return Object.values(commitChecks?.[commit] ?? {})
    .filter(
      ({ name, state }) =>
        policy.checks[name] !== undefined && (state === "running" || (state === "queued" && !isHeld)),
    )
    .map(({ name, attempt }) => checkIntent(id, { commit, name, attempt }));
}
