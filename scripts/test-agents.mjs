// `npm run test:agents -- [--offline] [--newest] [file ...]`: installs the real programs of agents and runs the
// tests that drive them. No real model is called: they are
// pointed at a scripted server on this machine. `npm test` runs the same tests when the programs are there. With --offline (Linux,
// as root or where user namespaces are allowed) the tests have only the loopback network, which proves that nothing else is called.
// With --newest they run a second time, with the programs that npm has in a newer version than the pinned one.
// The whole run prints the table of docs/user/agents.md, and fails if the page says something else.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentsFolder, installAgents, installNewest, NEWEST, PROGRAMS } from "./agent-programs.mjs";
import { makeTable, readTable } from "./agent-table.mjs";
import { bin, build, ensurePackages, run } from "./lib.mjs";

const FLAGS = ["--offline", "--newest"];
const words = process.argv.slice(2);
const files = words.filter((word) => !FLAGS.includes(word));
const isNewest = words.includes("--newest");

ensurePackages();
const absent = [...installAgents(Object.keys(PROGRAMS)), ...(isNewest ? installNewest() : [])];
if (absent.length > 0) {
  console.error(`error: npm could not install ${absent.join(", ")}`);
  process.exit(1);
}
build();
const folder = mkdtempSync(join(tmpdir(), "ao-facts-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const facts = join(folder, "facts.jsonl");
test({});
if (isNewest) test({ AO_TEST_AGENTS_NEWEST: "1" });
if (files.length === 0 && isNewest) compareTable();

/** Runs the tests; a missing program is now a failure, not a reason to skip. */
function test(env) {
  const vitest = [bin("vitest"), "run", ...(files.length > 0 ? files : ["test/agents"])];
  const [command, ...args] = words.includes("--offline") ? [...alone(), ...vitest] : vitest;
  const own = { AO_TEST_AGENTS: agentsFolder, AO_TEST_AGENTS_REQUIRED: "1", AO_TEST_AGENTS_FACTS: facts };
  run(command, args, { env: { ...process.env, ...own, ...env } });
}

function compareTable() {
  const seen = readFileSync(facts, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const table = makeTable(seen, { pinned: PROGRAMS, newest: NEWEST });
  console.log(`\nWhat the real programs did:\n\n${table}`);
  if (readTable(readFileSync("docs/user/agents.md", "utf8")) === table) return;
  console.error("error: docs/user/agents.md has another table; replace it with this one");
  process.exit(1);
}

/** A command prefix that runs a command in its own empty network. */
function alone() {
  if (process.platform !== "linux") {
    console.error("error: --offline needs Linux");
    process.exit(2);
  }
  return ["unshare", process.getuid() === 0 ? "-n" : "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
}
