import { dirname, join } from "node:path";
import { pickEnvironment } from "../../core/environment.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import type { Requirement } from "../../ports/plugin.ts";
import type { HomePaths } from "../../protocol/home.ts";
import { findProgram } from "../../providers/bridged/program.ts";
import { EVERY_CODE } from "../../providers/git/git.ts";
import { composeBubblewrap, type PlaceRule } from "./bubblewrap.ts";
import { existing } from "./enclose-program.ts";
import { findBubblewrapProblem } from "./preflight.ts";

/** A new project's agent, as `ao` would start it. */
export interface Candidate {
  readonly requirement: Requirement;
  readonly footprint: Agent["footprint"];
  /** The PATH of the calling shell. */
  readonly path: string | undefined;
  readonly cwd: string;
}

const TRIAL_LIMIT_MS = 30_000;

/**
 * Why a new project's agent does not run in a sandbox by itself; null: its program was started in one, and gave its
 * version.
 */
export async function findSandboxObstacle(
  host: Host,
  paths: Pick<HomePaths, "home" | "cache">,
  candidate: Candidate,
): Promise<string | null> {
  const environment = { ...pickEnvironment(host.env), PATH: candidate.path ?? host.env["PATH"] ?? "" };
  const problem = await findBubblewrapProblem(host, environment);
  if (problem !== null) return problem.message;
  const { program, versionArgs } = candidate.requirement;
  const found = await findProgram(host, program, { cwd: candidate.cwd, environment });
  if (found === null) return `${program} was not found.`;
  const scratch = join(paths.cache, "sandbox-trial");
  await host.fs.makeDir(scratch, { mode: 0o700 });
  try {
    const [shell = "sh", ...args] = [
      ...composeBubblewrap({
        rules: await trialRules(host, { home: paths.home, scratch, candidate, environment, program: found }),
        network: "all",
        cwd: candidate.cwd,
        environment: { AO_SANDBOX: "bubblewrap", TMPDIR: "/tmp" },
        told: "/dev/null",
      }),
      ...[found, ...versionArgs],
    ];
    const exactEnv = { ...environment, LC_ALL: "C" };
    const answer = await host.exec({ program: shell, args, exactEnv, timeoutMs: TRIAL_LIMIT_MS, okCodes: EVERY_CODE });
    return answer.code === 0 ? null : `\`${[program, ...versionArgs].join(" ")}\` failed in a sandbox.`;
  } catch {
    return `\`${[program, ...versionArgs].join(" ")}\` did not end in a sandbox.`;
  } finally {
    await host.fs.remove(scratch);
  }
}

interface Trial {
  readonly home: string;
  readonly scratch: string;
  readonly candidate: Candidate;
  readonly environment: Readonly<Record<string, string>>;
  readonly program: string;
}

// As in a session's sandbox: AO_HOME is hidden, temporary folders are its own, and only the agent's own folders are writable.
async function trialRules(
  host: Host,
  { home, scratch, candidate, environment, program }: Trial,
): Promise<readonly PlaceRule[]> {
  const shown = await existing(host, [candidate.cwd, environment["HOME"] ?? "", dirname(program)]);
  const folders = candidate.footprint?.(environment).folders ?? [];
  const own = await existing(
    host,
    folders.map(({ path }) => path),
  );
  // A session gets copies of these; its program's version needs nothing in them.
  for (const at of own.keys()) await host.fs.makeDir(join(scratch, `own-${at}`), { mode: 0o700 });
  return [
    ...(await existing(host, ["/tmp", "/var/tmp"])).map((path): PlaceRule => ({ path, as: "write", from: scratch })),
    ...(await existing(host, [home])).map((path): PlaceRule => ({ path, as: "hidden" })),
    ...shown.map((path): PlaceRule => ({ path, as: "read" })),
    ...own.map((path, at): PlaceRule => ({ path, as: "write", from: join(scratch, `own-${at}`) })),
  ];
}
