import { pickEnvironment } from "../../core/environment.ts";
import type { ExecResult } from "../../ports/host.ts";
import type { EncloseCommand } from "../../ports/workspace.ts";
import { failure, tailOf } from "./failure.ts";
import type { Tools } from "./tools.ts";

const ANSWERS: readonly number[] = Array.from({ length: 256 }, (_, code) => code);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface UserCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Absent: it runs as the user. */
  readonly enclose?: EncloseCommand | undefined;
}

/** Runs a project command in the shell; rejects with the command and the end of its output. */
export async function runUserCommand(tools: Tools, kind: string, request: UserCommand): Promise<void> {
  const { command, enclose } = request;
  const own = ["sh", "-c", command];
  let result: ExecResult;
  try {
    const [program = "", ...args] = (await enclose?.(own, request.cwd)) ?? own;
    result = await tools.host.exec({
      program,
      args,
      cwd: request.cwd,
      exactEnv: { ...pickEnvironment(tools.host.env), ...request.env },
      timeoutMs: request.timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      okCodes: ANSWERS,
    });
  } catch (cause) {
    const message = `The ${kind} command "${command}" did not end: ${(cause as Error).message}`;
    throw failure("plugin-failed", "config", { message, cause, data: { command } });
  }
  if (result.code === 0) return;
  const output = tailOf(`${result.stdout}\n${result.stderr}`, 20);
  throw failure("plugin-failed", "config", {
    message: `The ${kind} command "${command}" failed with exit code ${result.code}: ${output}`,
    hint: `Run it by hand in ${request.cwd}, or change ${kind} in the configuration.`,
    data: { command, exitCode: result.code, output },
  });
}
