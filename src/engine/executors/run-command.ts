import { type Executor, requireChange, requireSession } from "../executor.ts";
import { placeOf, runShellCommand } from "../shell-command.ts";

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
    const { cause: event, text, run, timeoutMs = TIMEOUT_MS } = command;
    const place = await placeOf(owner, { event, text, intentId }, deps);
    return { kind: "command-ended", ...(await runShellCommand(deps.host, { run, timeoutMs, ...place })) };
  },
  reconcile: async () => ({ kind: "not-done" }),
};
