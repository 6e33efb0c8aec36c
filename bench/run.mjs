// Measures the built program (dist/) and prints a table; docs/reference/bench.md says what each line means.
//   node bench/run.mjs [--only NAME ...] [--seconds N] [--agents N] [--short] [--json FILE] [--markdown] [--from FILE]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createContext } from "./context.mjs";
import { measureBoard } from "./measures/board.mjs";
import { measureBridge } from "./measures/bridge.mjs";
import { measureBurst } from "./measures/burst.mjs";
import { measureStatus, measureVersion } from "./measures/cli.mjs";
import { measureFanOut } from "./measures/fan-out.mjs";
import { measureFirstPage } from "./measures/first-page.mjs";
import { measureFlood } from "./measures/flood.mjs";
import { measureForge } from "./measures/forge.mjs";
import { measureHistory } from "./measures/history.mjs";
import { measureIdle } from "./measures/idle.mjs";
import { measureLoop } from "./measures/loop.mjs";
import { measureMessages } from "./measures/messages.mjs";
import { measureRadar } from "./measures/radar.mjs";
import { measureReports } from "./measures/reports.mjs";
import { measureSessionsApi } from "./measures/sessions-api.mjs";
import { measureSpawn } from "./measures/spawn.mjs";
import { measureStates } from "./measures/states.mjs";
import { renderMarkdown, renderText, toResult } from "./report.mjs";

// The quiet minute comes before anything that makes the fleet of fifty busy.
const MEASURES = {
  version: measureVersion,
  "first-page": measureFirstPage,
  "fan-out": measureFanOut,
  flood: measureFlood,
  bridge: measureBridge,
  board: measureBoard,
  idle: measureIdle,
  status: measureStatus,
  sessions: measureSessionsApi,
  messages: measureMessages,
  loop: measureLoop,
  forge: measureForge,
  radar: measureRadar,
  states: measureStates,
  history: measureHistory,
  reports: measureReports,
  spawn: measureSpawn,
  burst: measureBurst,
};
const results = fileURLToPath(new URL("results/", import.meta.url));

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    seconds: { type: "string" },
    agents: { type: "string" },
    // Few and small: shows that every measure works, and nothing about speed.
    short: { type: "boolean" },
    json: { type: "string" },
    markdown: { type: "boolean" },
    from: { type: "string" },
  },
});

const result = options.from === undefined ? await measure(chosen()) : JSON.parse(readFileSync(options.from, "utf8"));
if (options.from === undefined) save(result);
process.stdout.write(options.markdown === true ? renderMarkdown(result) : renderText(result));

function chosen() {
  const names = options.only ?? Object.keys(MEASURES);
  const unknown = names.find((name) => !Object.hasOwn(MEASURES, name));
  if (unknown !== undefined)
    stop(`there is no measure "${unknown}"`, `choose from ${Object.keys(MEASURES).join(", ")}`);
  if (process.platform !== "linux") stop("the measures read /proc", "run them on Linux");
  if (!existsSync(fileURLToPath(new URL("../dist/cli/ao.cjs", import.meta.url)))) {
    stop("nothing is built", "npm run bench builds first");
  }
  return Object.keys(MEASURES).filter((name) => names.includes(name));
}

// How long and how large; each measure has its own defaults.
function sizes() {
  const given = ["seconds", "agents"].filter((name) => options[name] !== undefined);
  const numbers = Object.fromEntries(given.map((name) => [name, Number(options[name])]));
  return { ...numbers, short: options.short === true };
}

function stop(message, hint) {
  process.stderr.write(`error: ${message}\nhint: ${hint}\n`);
  process.exit(2);
}

async function measure(names) {
  const loadBefore = loadavg()[0];
  const context = createContext(sizes());
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ]) {
    process.once(signal, () => {
      context.world.dispose();
      process.exit(code);
    });
  }
  try {
    const lines = [];
    for (const name of names) {
      process.stderr.write(`measuring ${name} ...\n`);
      for (const line of await MEASURES[name](context)) lines.push({ measure: name, ...line });
    }
    return toResult(lines, loadBefore);
  } finally {
    context.world.dispose();
  }
}

// A partial run must not replace the latest result.
function save(measured) {
  const text = `${JSON.stringify(measured, null, 2)}\n`;
  if (options.json !== undefined) writeFileSync(options.json, text);
  if (options.only !== undefined || options.short === true) return;
  mkdirSync(results, { recursive: true });
  writeFileSync(`${results}latest.json`, text);
}
