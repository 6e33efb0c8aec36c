import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Fleet } from "../../support/fleet.ts";

const main = fileURLToPath(new URL("../../../dist/cli/ao.cjs", import.meta.url));

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the `ao` that users run, in the fleet's repository. */
export function runAo(fleet: Fleet, ...args: string[]): Promise<Said> {
  const env = { ...process.env, AO_HOME: fleet.home, AO_PORT: "0", NO_COLOR: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: fleet.repo, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
      resolve({ code, stdout, stderr });
    });
  });
}

/** Runs an `ao` that must succeed, and gives what it printed. */
export async function ao(fleet: Fleet, ...args: string[]): Promise<string> {
  const said = await runAo(fleet, ...args);
  expect(said, `ao ${args.join(" ")}`).toMatchObject({ code: 0 });
  return said.stdout;
}
