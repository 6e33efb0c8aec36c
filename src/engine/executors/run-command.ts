import type { ChangeState } from "../../core/change/state.ts";
import type { SessionState } from "../../core/session/state.ts";
import { type EffectDeps, type Executor, requireChange, requireSession, type SpecOf } from "../executor.ts";

/** Longest run time of a command. */
const TIMEOUT_MS = 60_000;

/** How much of its last output is kept when it fails. */
const MAX_TAIL = 500;

/** Runs a command of a rule. It may run again after a crash; AO_INTENT is then the same. */
export const runCommand: Executor<"run-command"> = {
  survivesDaemon: false,
  concurrency: 4,
  execute: async (spec, intentId, deps) => {
    const { cwd, env, run } = await describe(spec, intentId, deps);
    if (run === null) return { kind: "command-ended", code: 0, reason: "it is not wanted any more" };
    const { code, stdout, stderr } = await deps.host.exec({
      program: deps.host.env["AO_SHELL"] ?? "/bin/sh",
      args: ["-c", run],
      cwd,
      exactEnv: env,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 1024 * 1024,
      okCodes: EVERY_CODE,
    });
    const tail = `${stdout}\n${stderr}`.trim().slice(-MAX_TAIL);
    const reason = code === 0 ? "" : `exit code ${code}${tail === "" ? "" : `: ${tail}`}`;
    return { kind: "command-ended", code, reason };
  },
  reconcile: async () => ({ kind: "not-done" }),
};

const EVERY_CODE: readonly number[] = Array.from({ length: 256 }, (_, code) => code);

interface Described {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string | null;
}

async function describe(spec: SpecOf<"run-command">, intentId: string, deps: EffectDeps): Promise<Described> {
  const owner = "changeKey" in spec ? requireChange(deps, spec.changeKey) : requireSession(deps, spec.sessionId);
  const command = (owner.commands ?? []).find(({ id }) => id === spec.commandId);
  const sessionId = "number" in owner ? owner.sessionId : owner.id;
  const env = await deps.checkEnvironment(owner.projectId, sessionId);
  return {
    cwd: folderOf(owner) ?? deps.scmProjectOf(owner.projectId).path,
    env: {
      ...env,
      AO_INTENT: intentId,
      AO_EVENT: command?.cause ?? "",
      AO_TEXT: command?.text ?? "",
      AO_PROJECT: owner.projectId,
      AO_SESSION: sessionId ?? "",
      AO_BRANCH: owner.branch,
      ...("number" in owner ? { AO_PULL_REQUEST: String(owner.number), AO_HEAD: owner.head } : {}),
    },
    run: command?.run ?? null,
  };
}

// The worktree of a session while there is one; a pull request outlives its session.
function folderOf(owner: SessionState | ChangeState): string | null {
  return "number" in owner || owner.workspace.state !== "ready" ? null : owner.workspace.path;
}
