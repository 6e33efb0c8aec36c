import { expect } from "vitest";
import type { Fleet } from "../../support/fleet.ts";
import { openShell } from "../cli/shell.ts";

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the `ao` that users run, in the fleet's repository. */
export async function runAo(fleet: Fleet, ...args: string[]): Promise<Said> {
  const own = Object.entries(process.env).map(([name, value]) => [name, value ?? ""]);
  const env = {
    ...Object.fromEntries(own),
    AO_HOME: fleet.home,
    AO_PORT: "0",
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const { code, out, err } = await openShell(fleet.repo, env).ao(...args);
  return { code, stdout: out, stderr: err };
}

/** Runs `ao`, which must succeed, and returns its output. */
export async function ao(fleet: Fleet, ...args: string[]): Promise<string> {
  const said = await runAo(fleet, ...args);
  expect(said.code, `ao ${args.join(" ")}\n${said.stderr}${said.stdout}`).toBe(0);
  return said.stdout;
}
