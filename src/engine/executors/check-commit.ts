import { isCheckWanted } from "../../core/project/react.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { CheckRequest } from "../../ports/scm.ts";
import type { Executor } from "../executor.ts";
import { toCheckOutcome } from "./check-outcome.ts";
import { inSandbox, sandboxForCommit } from "./check-sandbox.ts";

function isBuilt(project: ProjectState | undefined, commit: string): boolean {
  return project?.train?.batch?.built?.some((car) => car.commit === commit) === true;
}

/** Runs a check on a commit of the project itself; like a pull request's check, it continues without the daemon. */
export const checkCommit: Executor<"check-commit"> = {
  survivesDaemon: true,
  concurrency: 2,
  execute: async (spec, intentId, deps) => {
    const { projectId, commit, check, attempt } = spec;
    const rule = deps.policyOf(projectId)?.checks[check];
    const { run = "", setup = "", timeoutMs = 0 } = rule ?? {};
    const plain: CheckRequest = {
      ...{ project: deps.scmProjectOf(projectId), commit, check, run, setup, timeoutMs, intentId },
      folder: deps.checkDir(`${projectId}/base`, check, commit, attempt),
      env: await deps.projectEnvironment(projectId, null),
    };
    const sandbox = sandboxForCommit(deps, spec, rule);
    const request = inSandbox(plain, sandbox, deps);
    const isWanted = (): boolean => {
      const project = deps.project(projectId);
      return rule !== undefined && project !== undefined && isCheckWanted(project, spec);
    };
    const scm = deps.scmOf(projectId);
    const answer = await scm.runCheck(request, isWanted);
    if (answer.kind === "setup-failed" && isBuilt(deps.project(projectId), commit)) {
      if (!(await scm.hasCommit(request.project, commit))) return { kind: "train-lost" };
    }
    deps.faultPoint("check-commit: before its result is recorded");
    return toCheckOutcome(answer, deps, { check, sandbox });
  },
  reconcile: async () => ({ kind: "not-done" }),
};
