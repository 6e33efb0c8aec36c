import { AoError } from "../../core/errors.ts";
import type { Executor } from "../executor.ts";
import { requestFor } from "./merge-change.ts";

/**
 * Builds the merges of a batch as commits that no branch has; a ref keeps them until the batch is over. After a crash
 * they are rebuilt, which gives the same commits.
 */
export const buildTrain: Executor<"build-train"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async ({ projectId, base, cars, batch }, _intentId, deps) => {
    const scm = deps.scmOf(projectId);
    if (scm.buildMerges === undefined) {
      throw new AoError({ code: "plugin-failed", message: "This forge has its own merge rules and no train." });
    }
    const requests = cars.map(({ key, head, strategy }) => requestFor({ changeKey: key, head, strategy }, deps));
    const { built, conflicts } = await scm.buildMerges(await Promise.all(requests), { base, batch });
    deps.faultPoint("build-train: before it is recorded");
    const kept = scm.releaseBatch === undefined || built.length === 0 ? {} : { isKept: true as const };
    return { kind: "train-built", cars: built, conflicts: conflicts.slice(0, 50), ...kept };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
