import type { IntentOutcome } from "../../core/intent.ts";
import { type EffectDeps, type Executor, requireSession, type SpecOf } from "../executor.ts";
import { changeBody } from "./change-body.ts";

/** Opens a pull request. The forge finds it by its branch, so repeating it reconciles. */
export const openChange: Executor<"open-change"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: open,
  reconcile: async () => ({ kind: "not-done" }),
};

async function open(spec: SpecOf<"open-change">, _intentId: string, deps: EffectDeps): Promise<IntentOutcome> {
  const { projectId, branch } = requireSession(deps, spec.sessionId);
  const scm = deps.scmOf(projectId);
  const { number, url, isDraft } = await scm.ensureChange({
    project: deps.scmProjectOf(projectId),
    branch,
    base: spec.base,
    head: spec.head,
    title: spec.title,
    body: await changeBody(deps, projectId, spec),
    after: deps.lastNumber(projectId),
  });
  deps.faultPoint("open-change: before it is recorded");
  return {
    kind: "change-opened",
    number,
    url,
    ...(scm.remote === undefined ? {} : { isRemote: true }),
    ...(isDraft === true ? { isDraft } : {}),
  };
}
