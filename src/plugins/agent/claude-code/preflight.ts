import { isAbsolute, join } from "node:path";
import type { AgentInterface, AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import { checkFirstSteps } from "./first-steps.ts";

/** The oldest version that was tried. */
export const MIN_VERSION = "2.1.197";

interface Wish {
  readonly command: readonly string[];
  readonly model?: string | undefined;
  readonly permissions: "ask" | "edits" | "all";
}

interface Where {
  readonly wanted: AgentInterface;
  readonly cwd: string;
  /** What the program would find in its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const VERSION_LIMIT_MS = 30_000;

/** What would keep Claude Code from working, found without launching a session and without reading a secret. */
export async function preflight(host: Host, wish: Wish, where: Where): Promise<readonly AgentProblem[]> {
  const [named = "", ...leading] = wish.command;
  const program = await findProgram(host, named, where);
  if (program === null) return [missing(named)];
  const version = await checkVersion(host, program, leading);
  const problems = [version, checkModel(wish, where), await checkUser(host, wish)];
  const { wanted, cwd: repository, environment } = where;
  const firstSteps = wanted === "terminal" ? await checkFirstSteps(host, { repository, environment }) : null;
  return [...problems, await checkLogin(host, where), firstSteps].filter((problem) => problem !== null);
}

function missing(command: string): AgentProblem {
  const hint = command.includes("/")
    ? "Check the path in `agentConfig.command`."
    : "Install it (`npm install -g @anthropic-ai/claude-code`), or give its path in `agentConfig.command`.";
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

async function checkVersion(host: Host, program: string, leading: readonly string[]): Promise<AgentProblem | null> {
  const answer = await host
    .exec({ program, args: [...leading, "--version"], timeoutMs: VERSION_LIMIT_MS })
    .catch((error: unknown) => ({ stdout: "", stderr: String(error) }));
  const version = /\d+\.\d+\.\d+/.exec(answer.stdout)?.[0];
  if (version !== undefined && compare(version, MIN_VERSION) >= 0) return null;
  return {
    code: "unsupported",
    message:
      version === undefined
        ? `${program} does not say its version, so it is not Claude Code or does not run here.`
        : `Claude Code ${version} is too old; ao needs ${MIN_VERSION} or newer.`,
    hint: "Update it: `claude update`, or `npm install -g @anthropic-ai/claude-code`.",
  };
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  const index = [0, 1, 2].find((n) => left?.[n] !== right?.[n]) ?? 0;
  return (left?.[index] ?? 0) - (right?.[index] ?? 0);
}

// Only the service knows all names. Those of other vendors are wrong, unless the requests go elsewhere.
function checkModel({ model }: Wish, { environment }: Where): AgentProblem | null {
  if (
    model === undefined ||
    environment["ANTHROPIC_BASE_URL"] ||
    !/^(gpt|o[0-9]|gemini|codex|qwen|kimi)/i.test(model)
  ) {
    return null;
  }
  return {
    code: "config-invalid",
    message: `The model ${model} is none of Claude Code.`,
    hint: "Use an alias such as `opus` or `sonnet`, or a full name, in `agentConfig.model`.",
  };
}

// The program refuses to skip its questions as root, and that is its decision.
async function checkUser(host: Host, { permissions }: Wish): Promise<AgentProblem | null> {
  if (permissions !== "all") return null;
  const { stdout } = await host.exec({ program: "id", args: ["-u"] });
  if (stdout.trim() !== "0") return null;
  return {
    code: "unsupported",
    message: "Claude Code refuses `permissions: all` as root.",
    hint: "Run ao as another user, or use `permissions: edits` with `allow: [Bash]`.",
  };
}

const PROVIDERS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];
const KEYS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", ...PROVIDERS];

// That there are credentials is enough here; whether they are good only the service can say.
async function checkLogin(host: Host, { environment }: Where): Promise<AgentProblem | null> {
  if (KEYS.some((name) => environment[name])) return null;
  const folder = environment["CLAUDE_CONFIG_DIR"] || join(environment["HOME"] ?? "", ".claude");
  if ((await host.fs.stat(join(folder, ".credentials.json"))) !== null) return null;
  const settings = await host.fs.readText(join(folder, "settings.json"));
  if (settings?.includes('"apiKeyHelper"') === true) return null;
  // On macOS they are in the keychain, which would ask the user.
  if ((await host.fs.stat("/usr/bin/security")) !== null) return null;
  return {
    code: "unsupported",
    message: "Claude Code has no login on this machine.",
    hint: "Run `claude` once and log in, or set ANTHROPIC_API_KEY (`env` of the project, or the shell of `ao start`).",
  };
}
