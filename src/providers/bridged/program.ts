import { isAbsolute, join } from "node:path";
import type { AgentInterface, AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";

/** A vendor's program as configured in a project. */
export interface Program {
  /** The name or path, and arguments that come before those of ao. */
  readonly command: readonly string[];
  /** What people call it. */
  readonly title: string;
  /** How to install or update it, as a sentence. */
  readonly install: string;
  /** The oldest tested version; null: none tested. */
  readonly minVersion: string | null;
}

/** Where a launch would run. */
export interface Where {
  readonly wanted: AgentInterface;
  readonly cwd: string;
  /** The environment the program would get. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const VERSION_LIMIT_MS = 60_000;

/** Why the program would not start, found without a session; null if it is installed and new enough. */
export async function checkProgram(host: Host, program: Program, where: Where): Promise<AgentProblem | null> {
  const [named = "", ...leading] = program.command;
  const path = await findProgram(host, named, where);
  if (path === null) return missing(named, program.install);
  return program.minVersion === null ? null : checkVersion(host, [path, ...leading], program, where);
}

/** The path of an executable program, by name or path; null if not found. */
export async function findProgram(
  host: Host,
  command: string,
  { cwd, environment }: Pick<Where, "cwd" | "environment">,
): Promise<string | null> {
  const candidates = command.includes("/")
    ? [isAbsolute(command) ? command : join(cwd, command)]
    : (environment["PATH"] ?? "").split(":").map((folder) => join(folder, command));
  for (const path of candidates) {
    const real = await host.fs.realPath(path);
    const found = real === null ? null : await host.fs.stat(real);
    if (found?.kind === "file" && (found.mode & 0o111) !== 0) return path;
  }
  return null;
}

/** The problem of a missing program. */
export function missing(command: string, install: string): AgentProblem {
  const hint = command.includes("/") ? "Check the path in `agentConfig.command`." : install;
  return { code: "program-missing", message: `The agent's program ${command} was not found.`, hint };
}

async function checkVersion(
  host: Host,
  [program = "", ...leading]: readonly string[],
  { title, install, minVersion }: Program,
  { environment }: Where,
): Promise<AgentProblem | null> {
  const env = { PATH: environment["PATH"], HOME: environment["HOME"] };
  const answer = await host
    .exec({ program, args: [...leading, "--version"], env, timeoutMs: VERSION_LIMIT_MS })
    .catch((error: unknown) => ({ stdout: "", stderr: String(error) }));
  const version = /\d+\.\d+\.\d+/.exec(answer.stdout)?.[0];
  if (version !== undefined && compare(version, minVersion ?? version) >= 0) return null;
  return {
    code: "unsupported",
    message:
      version === undefined
        ? `${program} does not say its version, so it is not ${title} or does not run here.`
        : `${title} ${version} is too old; ao needs ${minVersion} or newer.`,
    hint: install,
  };
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const index = [0, 1, 2].find((n) => left?.[n] !== right?.[n]) ?? 0;
  return (left?.[index] ?? 0) - (right?.[index] ?? 0);
}
