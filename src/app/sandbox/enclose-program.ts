import { join } from "node:path";
import type { SandboxNetwork } from "../../core/sandbox.ts";
import type { EnclosedProgram } from "../../engine/executor.ts";
import type { Host } from "../../ports/host.ts";
import { composeBubblewrap, type PlaceRule } from "./bubblewrap.ts";
import { openGate } from "./network-gate.ts";

/** What a program in a sandbox may reach. */
export interface Enclosing {
  readonly rules: readonly PlaceRule[];
  readonly network: SandboxNetwork;
  /** An existing folder that the rules show. */
  readonly cwd: string;
  /** Added to the environment that the program is started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Taken out of it. */
  readonly unset?: readonly string[];
}

/** A program's arguments, after those that run it in a sandbox with these rules and hosts. */
export async function encloseProgram(
  host: Host,
  program: Pick<EnclosedProgram, "argv" | "runDir" | "onlyHosts">,
  { rules, network, cwd, environment, unset = [] }: Enclosing,
): Promise<readonly string[]> {
  const gate = await openGate(host, program, network);
  const enclosure = composeBubblewrap({
    rules: [...gate.rules, ...rules],
    network,
    cwd,
    environment: { AO_SANDBOX: "bubblewrap", ...environment, ...gate.environment },
    unset,
    told: await makeTold(host, program.runDir),
  });
  return [...gate.outside, ...enclosure, ...gate.inside, ...program.argv];
}

/** The real paths of those that exist. */
export async function existing(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(async (path) => (path === "" ? null : await host.fs.realPath(path))));
  return [...new Set(real.filter((path) => path !== null))];
}

// Its presence shows that the run's program is not the holder's child; its content is never overwritten.
async function makeTold(host: Host, runDir: string): Promise<string> {
  const path = join(runDir, "sandbox");
  await host.fs.makeDir(runDir, { mode: 0o700 });
  if ((await host.fs.stat(path)) === null) await host.fs.writeText(path, "", { mode: 0o600 });
  return path;
}
