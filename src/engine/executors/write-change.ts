import type { ChangeState, ForgeWrite } from "../../core/change/state.ts";
import type { RemoteWrite } from "../../ports/scm.ts";
import { type EffectDeps, type Executor, requireChange } from "../executor.ts";
import { holdEffect } from "./hold.ts";
import { requireRemote } from "./remote.ts";

/**
 * Writes to the forge what was said or done locally. The forge finds what it already has by the write's id, so
 * repeating it reconciles.
 */
export const writeChange: Executor<"write-change"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async ({ changeKey, writeId }, _intentId, deps) => {
    const { projectId, number, forge, checks } = requireChange(deps, changeKey);
    const write = forge?.writes.find(({ id }) => id === writeId);
    if (write === undefined || hasRunAgain(checks, write)) return { kind: "change-written" };
    const project = deps.scmProjectOf(projectId);
    const request = { project, number, write: await withText(deps, write) };
    return requireRemote(deps, projectId)
      .write(request)
      .then(() => {
        deps.faultPoint("write-change: before it is recorded");
        return { kind: "change-written" } as const;
      })
      .catch(holdEffect);
  },
  reconcile: async () => ({ kind: "not-done" }),
};

// Before a crash, by another request, or by a person: it must not run a third time.
function hasRunAgain(checks: ChangeState["checks"], write: ForgeWrite): boolean {
  return write.kind === "rerun" && checks[write.check]?.ref !== write.ref;
}

async function withText(deps: EffectDeps, write: ForgeWrite): Promise<RemoteWrite> {
  return "text" in write ? { ...write, text: await deps.textOf(write.text) } : write;
}
