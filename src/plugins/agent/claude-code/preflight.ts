import { join } from "node:path";
import type { AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import { checkProgram, type Where } from "../../../providers/bridged/program.ts";
import { checkFirstSteps } from "./first-steps.ts";

/** The oldest tested version. */
export const MIN_VERSION = "2.1.197";
export const INSTALL = "Install it: `npm install -g @anthropic-ai/claude-code`; update it: `claude update`.";

interface Settings {
  readonly command: readonly string[];
  readonly model?: string | undefined;
  readonly permissions: "ask" | "edits" | "all";
}

/** What would keep Claude Code from working. */
export async function checkClaude(host: Host, settings: Settings, where: Where): Promise<readonly AgentProblem[]> {
  const program = { command: settings.command, title: "Claude Code", install: INSTALL, minVersion: MIN_VERSION };
  const problem = await checkProgram(host, program, where);
  if (problem?.code === "program-missing") return [problem];
  const problems = [
    problem,
    checkModel(settings, where),
    await checkUser(host, settings),
    await checkLogin(host, where),
  ];
  const { wanted, cwd: repository, environment } = where;
  const firstSteps = wanted === "terminal" ? await checkFirstSteps(host, { repository, environment }) : null;
  return [...problems, firstSteps].filter((one) => one !== null);
}

// Only the service knows all names. Other vendors' names are wrong, unless requests go to another service.
function checkModel({ model }: Settings, { environment }: Where): AgentProblem | null {
  if (
    model === undefined ||
    environment["ANTHROPIC_BASE_URL"] ||
    !/^(gpt|o[0-9]|gemini|codex|qwen|kimi)/i.test(model)
  ) {
    return null;
  }
  return {
    code: "config-invalid",
    message: `The model ${model} is not a Claude Code model.`,
    hint: "Use an alias such as `opus` or `sonnet`, or a full name, in `agentConfig.model`.",
  };
}

// The program refuses to skip its questions as root, and that is its decision.
async function checkUser(host: Host, { permissions }: Settings): Promise<AgentProblem | null> {
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

// Only checks that credentials exist; whether they are valid only the service knows.
async function checkLogin(host: Host, { environment }: Where): Promise<AgentProblem | null> {
  if (KEYS.some((name) => environment[name])) return null;
  const folder = environment["CLAUDE_CONFIG_DIR"] || join(environment["HOME"] ?? "", ".claude");
  if ((await host.fs.stat(join(folder, ".credentials.json"))) !== null) return null;
  const settings = await host.fs.readText(join(folder, "settings.json"));
  if (settings?.includes('"apiKeyHelper"') === true) return null;
  // On macOS they are in the keychain, which would prompt the user.
  if ((await host.fs.stat("/usr/bin/security")) !== null) return null;
  return {
    code: "unsupported",
    message: "Claude Code has no login on this machine.",
    hint: "Run `claude` once and log in, or export ANTHROPIC_API_KEY in this shell and try again.",
  };
}
