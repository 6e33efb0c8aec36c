import type { ChangeState } from "../../core/change/state.ts";
import type { CommandRun } from "../../core/command/command-run.ts";
import { describeHook } from "../../core/hook/describe-hook.ts";
import type { HookPoint } from "../../core/hook/hook-module.ts";
import type { SessionState } from "../../core/session/state.ts";
import { callModule } from "../call-module.ts";
import { type EffectDeps, type Executor, requireChange, requireSession } from "../executor.ts";
import { type CommandEnd, placeOf, runShellCommand } from "../shell-command.ts";

/** Longest run time of a command that has no other. */
const TIMEOUT_MS = 60_000;

/** Runs a command of a rule or a hook. It may run again after a crash; AO_INTENT is then the same. */
export const runCommand: Executor<"run-command"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, intentId, deps) => {
    const owner = "changeKey" in spec ? requireChange(deps, spec.changeKey) : requireSession(deps, spec.sessionId);
    const command = (owner.commands ?? []).find(({ id }) => id === spec.commandId);
    if (command === undefined) return { kind: "command-ended", code: 0, reason: "it is not wanted any more" };
    return { kind: "command-ended", ...(await runFor(owner, { command, intentId }, deps)) };
  },
  reconcile: async () => ({ kind: "not-done" }),
};

async function runFor(
  owner: SessionState | ChangeState,
  { command, intentId }: { readonly command: CommandRun; readonly intentId: string },
  deps: EffectDeps,
): Promise<CommandEnd> {
  const { cause, text, run, module, timeoutMs = TIMEOUT_MS } = command;
  const { cwd, env } = await placeOf(owner, { event: cause, text, intentId }, deps);
  if (module === undefined) return runShellCommand(deps.host, { run, timeoutMs, cwd, env });
  // Only hooks have modules, and theirs is the name of a point.
  const point = cause as HookPoint;
  const context = describeHook(owner, { point, sentence: text, folder: cwd, intent: intentId });
  return callModule(deps.host, { call: { ...module, context }, env, timeoutMs });
}
