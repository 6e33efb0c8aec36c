import type { AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import { cannotAsk } from "../../../providers/bridged/agent.ts";
import { checkProgram, type Where } from "../../../providers/bridged/program.ts";
import { toTokens } from "./tokens.ts";

/** Versions are dates. The prompt on standard input and `create-chat` are documented for this one. */
export const MIN_VERSION = "2026.01.28";
export const INSTALL = "Install it as cursor.com/cli says, or update it: `cursor-agent update`.";

/** Variables of the daemon that only this agent gets. */
export const SECRETS = ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"];

const LOGIN = "Log in with `cursor-agent login`, or set CURSOR_API_KEY.";
const STATUS_LIMIT_MS = 30_000;

interface Settings {
  readonly command: readonly string[];
  readonly permissions: "ask" | "edits" | "all";
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** Finds what would keep Cursor from working, without launching a session or reading a secret. */
export async function checkCursor(host: Host, settings: Settings, where: Where): Promise<readonly AgentProblem[]> {
  const known = { command: settings.command, title: "Cursor", install: INSTALL, minVersion: MIN_VERSION };
  const problem = await checkProgram(host, known, where);
  if (problem !== null) return [problem];
  return [checkPolicy(settings), await checkLogin(host, settings, where)].filter((one) => one !== null);
}

function checkPolicy({ permissions, ask, deny }: Settings): AgentProblem | null {
  if (permissions !== "all") {
    return {
      code: "unsupported",
      message: `ao cannot enforce \`permissions: ${permissions}\` with Cursor: it either changes nothing or does everything that is not denied.`,
      hint: "Set `agentConfig.permissions: all`, or use the agent `acp` with `command: [cursor-agent, acp]`, which asks.",
    };
  }
  if (ask.length > 0) return cannotAsk("Cursor");
  const entry = deny.find((one) => toTokens(one) === null);
  if (entry === undefined) return null;
  return {
    code: "unsupported",
    message: `Cursor has no rule for \`${entry}\`: its rules name a whole program, or an absolute or workspace path.`,
    hint: "Deny the whole program (`git`), or remove the entry from `agentConfig.deny`.",
  };
}

// Where the login is stored depends on the system; the program knows.
async function checkLogin(
  host: Host,
  { command }: Settings,
  { cwd, environment }: Where,
): Promise<AgentProblem | null> {
  if (SECRETS.some((name) => environment[name])) return null;
  const [program = "", ...leading] = command;
  const { stdout, stderr } = await host
    .exec({ program, args: [...leading, "status"], cwd, env: environment, okCodes: [0, 1], timeoutMs: STATUS_LIMIT_MS })
    .catch((error: unknown) => ({ stdout: "", stderr: String(error) }));
  if (!/not (logged in|authenticated)|login required/i.test(`${stdout}${stderr}`)) return null;
  return { code: "unsupported", message: "Cursor has no login on this machine.", hint: LOGIN };
}
