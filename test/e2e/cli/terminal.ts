import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { until } from "../../support/until.ts";
import { main, type Shell } from "./shell.ts";

/** A command that runs on a terminal of its own. */
export interface Terminal {
  /** Waits until the screen has shown this n times, then types. */
  type(keys: string, after: string, times?: number): Promise<void>;
  /** The whole output, and the exit code. */
  end(): Promise<{ readonly code: number | null; readonly out: string }>;
}

/** Types `ao ...` on a terminal, with util-linux `script`. */
export function openTerminal(shell: Shell, cwd: string, ...args: readonly string[]): Terminal {
  const command = ["stty cols 100 rows 40; exec", process.execPath, main, ...args].join(" ");
  const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd, env: { ...shell.env, TERM: "xterm" } });
  onTestFinished(() => void child.kill());
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  return {
    type: async (keys, after, times = 1) => {
      await until(`the screen to show ${after}`, async () => out.split(after).length > times);
      child.stdin.write(keys);
    },
    end: async () => ({ code: await ended, out }),
  };
}
