import { isAbsolute, join } from "node:path";
import type { AgentInterface, AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import type { AcpProfile } from "./profiles.ts";

type Wish = Pick<AcpProfile, "name" | "title" | "install" | "login" | "minVersion" | "signs"> & {
  readonly command: readonly string[];
};

interface Where {
  readonly wanted: AgentInterface;
  readonly cwd: string;
  /** What the program would find in its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const VERSION_LIMIT_MS = 60_000;

/** What would keep an agent from working, found without launching a session and without reading a secret. */
export async function preflight(host: Host, wish: Wish, where: Where): Promise<readonly AgentProblem[]> {
  if (where.wanted === "terminal") return [noTerminal(wish.name)];
  const [named = "", ...leading] = wish.command;
  const program = await findProgram(host, named, where);
  if (program === null) return [missing(named, wish.install)];
  const version = wish.minVersion === null ? null : await checkVersion(host, [program, ...leading], wish, where);
  if (version !== null) return [version];
  const login = await checkLogin(host, wish, where);
  return login === null ? [] : [login];
}

function noTerminal(name: string): AgentProblem {
  return {
    code: "unsupported",
    message: `The agent ${name} has no terminal interface in this version.`,
    hint: "Use `runtime: process`, and leave `agentConfig.interface` out.",
  };
}

function missing(command: string, install: string): AgentProblem {
  const hint = command.includes("/") ? "Check the path in `agentConfig.command`." : install;
  return { code: "program-missing", message: `The agent's program ${command} was not found.`, hint };
}

async function findProgram(host: Host, command: string, { cwd, environment }: Where): Promise<string | null> {
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

async function checkVersion(
  host: Host,
  [program = "", ...leading]: readonly string[],
  { title, install, minVersion }: Wish,
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

// That there is something to log in with is enough here; whether it is good only the service can say.
async function checkLogin(host: Host, { title, login, signs }: Wish, where: Where): Promise<AgentProblem | null> {
  const { environment } = where;
  if (signs === null || signs.variables.some((name) => environment[name])) return null;
  for (const file of signs.files) {
    if ((await host.fs.stat(join(environment["HOME"] ?? "", file))) !== null) return null;
  }
  return { code: "unsupported", message: `${title} has no login on this machine.`, hint: login };
}
