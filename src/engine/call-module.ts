import { AoError } from "../core/errors.ts";
import type { ModuleCall } from "../core/hook/hook.ts";
import type { Host } from "../ports/host.ts";
import { type CommandEnd, EVERY_CODE, MAX_OUTPUT_BYTES, MAX_TAIL, type ShellCommand } from "./shell-command.ts";

export interface ModuleCommand extends Omit<ShellCommand, "run" | "cwd"> {
  readonly call: ModuleCall;
}

/**
 * Calls the function of a hook in code, in a process of its own (src/hook-runner/main.ts): its exit code is the verdict, its standard
 * output the reason, and its standard error everything that the code prints.
 */
export async function callModule(
  host: Pick<Host, "exec" | "assets">,
  { call, env, timeoutMs }: ModuleCommand,
): Promise<CommandEnd> {
  const { program, script } = host.assets.hookRunner;
  const ended = await host
    .exec({
      program,
      args: [script],
      cwd: call.context.folder,
      exactEnv: env,
      // Titles and branch names are the text of others, and arguments are visible to every user of the machine.
      stdin: JSON.stringify(call),
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      okCodes: EVERY_CODE,
    })
    .catch((error: unknown) => {
      throw nameModule(error, `${program} ${script}`, call.module);
    });
  const { code } = ended;
  if (code === 0) return { code, reason: "" };
  const [reason = `exit code ${code}`] = [ended.stdout, ended.stderr]
    .map((text) => text.trim().slice(-MAX_TAIL))
    .filter((text) => text !== "");
  return { code, reason };
}

// People know their module, not the program that calls it.
function nameModule(error: unknown, command: string, module: string): unknown {
  if (!(error instanceof AoError)) return error;
  return new AoError({ code: error.code, message: error.message.replace(command, module), cause: error });
}
