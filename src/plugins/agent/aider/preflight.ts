import { join } from "node:path";
import type { AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import { cannotAsk } from "../../../providers/bridged/agent.ts";
import { checkProgram, type Where } from "../../../providers/bridged/program.ts";

/** The version whose documentation the adapter is based on. */
export const MIN_VERSION = "0.86.0";
export const INSTALL = "Install it: `uv tool install aider-chat`, or `pipx install aider-chat`.";

/** Variables of the daemon that only this agent gets: one key per vendor. */
export const KEYS = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "DEEPSEEK_API_KEY",
  "OPENROUTER_API_KEY",
  "GROQ_API_KEY",
  "XAI_API_KEY",
  "MISTRAL_API_KEY",
  "COHERE_API_KEY",
  "FIREWORKS_API_KEY",
  "AZURE_API_KEY",
];

const LOGIN = "Set the key of a vendor (ANTHROPIC_API_KEY, OPENAI_API_KEY, ...), or name one in ~/.aider.conf.yml.";
/** Files in the home folder that may contain keys. */
const FILES = [".aider.conf.yml", ".env", ".aider/oauth-keys.env"];
const OTHERS = ["OLLAMA_API_BASE", "LM_STUDIO_API_BASE", "AWS_PROFILE", "VERTEXAI_PROJECT"];

interface Settings {
  readonly command: readonly string[];
  readonly model?: string | undefined;
  readonly permissions: "ask" | "edits" | "all";
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** Finds what would keep Aider from working, without launching a session or reading a secret. */
export async function checkAider(host: Host, settings: Settings, where: Where): Promise<readonly AgentProblem[]> {
  const known = { command: settings.command, title: "Aider", install: INSTALL, minVersion: MIN_VERSION };
  const problem = await checkProgram(host, known, where);
  if (problem !== null) return [problem];
  return [checkPolicy(settings), await checkLogin(host, settings, where)].filter((one) => one !== null);
}

function checkPolicy({ permissions, ask, deny }: Settings): AgentProblem | null {
  const path = deny.find((entry) => /^(\/|~\/|\.\.?\/)/.test(entry));
  if (permissions === "ask") {
    return {
      code: "unsupported",
      message: "Aider cannot ask a person: under ao it edits and commits without asking.",
      hint: "Set `agentConfig.permissions: edits`.",
    };
  }
  if (ask.length > 0) return cannotAsk("Aider");
  if (path === undefined) return null;
  return {
    code: "unsupported",
    message: `Aider has no rule for one launch that would keep it from ${path}.`,
    hint: "Remove it from `agentConfig.deny`, and name the path in the repository's .aiderignore.",
  };
}

// Without a key it would open a browser and wait for minutes.
async function checkLogin(
  host: Host,
  { model = "" }: Settings,
  { cwd, environment }: Where,
): Promise<AgentProblem | null> {
  const isLocal = /^(ollama|ollama_chat|lm_studio)\//.test(model);
  if (isLocal || [...KEYS, ...OTHERS].some((name) => environment[name])) return null;
  const home = environment["HOME"] ?? "";
  for (const path of [...FILES.map((file) => join(home, file)), join(cwd, ".aider.conf.yml")]) {
    if ((await host.fs.stat(path)) !== null) return null;
  }
  return { code: "unsupported", message: "Aider has no key for a model on this machine.", hint: LOGIN };
}
