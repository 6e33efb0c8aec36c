import type { ChangeState } from "../core/change/state.ts";
import type { SessionState } from "../core/session/state.ts";
import type { Host } from "../ports/host.ts";
import type { EffectDeps } from "./executor.ts";

/** How much of its last output is kept when a command fails. */
export const MAX_TAIL = 500;
export const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface ShellCommand {
  readonly run: string;
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** How a command ended; the reason is empty if it succeeded. */
export interface CommandEnd {
  readonly code: number;
  readonly reason: string;
}

/** Runs a command of the configuration, and says why it failed with the end of what it printed. */
export async function runShellCommand(
  host: Pick<Host, "exec" | "env">,
  { run, cwd, env, timeoutMs }: ShellCommand,
): Promise<CommandEnd> {
  const { code, stdout, stderr } = await host.exec({
    program: host.env["AO_SHELL"] ?? "/bin/sh",
    args: ["-c", run],
    cwd,
    exactEnv: env,
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    okCodes: EVERY_CODE,
  });
  const tail = `${stdout}\n${stderr}`.trim().slice(-MAX_TAIL);
  return { code, reason: code === 0 ? "" : `exit code ${code}${tail === "" ? "" : `: ${tail}`}` };
}

export const EVERY_CODE: readonly number[] = Array.from({ length: 256 }, (_, code) => code);

interface Cause {
  /** What the command is run for: the key of a reaction, or the point of a hook. */
  readonly event: string;
  readonly text: string;
  readonly intentId: string;
}

/** Where a command about a session or a pull request runs, and the variables it gets. */
export async function placeOf(
  owner: SessionState | ChangeState,
  { event, text, intentId }: Cause,
  deps: EffectDeps,
): Promise<Pick<ShellCommand, "cwd" | "env">> {
  const sessionId = "number" in owner ? owner.sessionId : owner.id;
  const env = await deps.projectEnvironment(owner.projectId, sessionId);
  return {
    cwd: folderOf(owner) ?? deps.scmProjectOf(owner.projectId).path,
    env: {
      ...env,
      AO_INTENT: intentId,
      AO_EVENT: event,
      AO_TEXT: text,
      AO_PROJECT: owner.projectId,
      AO_SESSION: sessionId ?? "",
      AO_BRANCH: owner.branch,
      ...("number" in owner ? { AO_PULL_REQUEST: String(owner.number), AO_HEAD: owner.head } : {}),
    },
  };
}

// The worktree of a session while there is one; a pull request outlives its session.
function folderOf(owner: SessionState | ChangeState): string | null {
  return "number" in owner || owner.workspace.state !== "ready" ? null : owner.workspace.path;
}
