import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isFull } from "../../../src/testing/full.ts";
import type { Typed } from "./shell.ts";

const program = fileURLToPath(new URL("../../fixtures/command-host.cjs", import.meta.url));

interface CommandLine {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | Uint8Array;
}

/** These hand their terminal to another program, or run until interrupted. */
const OWN_PROCESS = ["attach", "demo", "edit", "run", "shell", "ui", "version", "open"];
const FOLLOWING = /^(-f|-w|--follow|--watch|--fix|--foreground|-V|-v|--version)$|:\/\//;

let host: ChildProcess | null = null;
let isBusy = false;

/**
 * Runs a command in a process shared by many commands, at a tenth of the cost. Null: this one needs its own process,
 * as all do in the full run, and as does one that starts while another runs.
 */
export function typeInHost(command: CommandLine): Promise<Typed> | null {
  const [name = ""] = command.args;
  if (isFull || isBusy || OWN_PROCESS.includes(name) || command.args.some((word) => FOLLOWING.test(word))) return null;
  isBusy = true;
  host ??= startHost();
  return ask(host, command).finally(() => {
    isBusy = false;
  });
}

function startHost(): ChildProcess {
  // Without the variables of this process: each command brings its own.
  const started = fork(program, { env: { LANG: "C.UTF-8" }, serialization: "advanced", stdio: "inherit" });
  started.unref();
  started.channel?.unref();
  started.once("exit", () => {
    host = null;
  });
  return started;
}

function ask(asked: ChildProcess, command: CommandLine): Promise<Typed> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      asked.off("message", answer).off("exit", fail);
      asked.channel?.unref();
    };
    const answer = (typed: unknown): void => {
      settle();
      resolve(typed as Typed);
    };
    const fail = (code: number | null): void => {
      settle();
      reject(new Error(`ao ${command.args.join(" ").slice(0, 200)} ended the process that runs it (${code})`));
    };
    asked.on("message", answer).on("exit", fail);
    asked.channel?.ref();
    asked.send(command);
  });
}
