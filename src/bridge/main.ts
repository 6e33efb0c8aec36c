import { join, resolve } from "node:path";
import { AoError } from "../core/errors.ts";
import { runBridge } from "./bridge.ts";
import { DRIVERS } from "./drivers.ts";
import { findFolder } from "./folder.ts";
import { openMemory } from "./memory.ts";

const USAGE = `Usage: node main.js ${Object.keys(DRIVERS).join("|")} [SETTINGS as JSON]\n`;

// Who cannot be heard any more need not go on.
process.stdout.on("error", () => process.exit(1));
process.exit(await run().catch(tell));

async function run(): Promise<number> {
  const [name = "", settings = "{}", ...more] = process.argv.slice(2);
  const load = Object.hasOwn(DRIVERS, name) ? DRIVERS[name] : undefined;
  if (load === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const cwd = process.cwd();
  const folder = await findFolder(cwd, process.env);
  return runBridge({
    createDriver: await load(),
    settings: parseSettings(settings),
    cwd: resolve(cwd),
    env: process.env,
    folder,
    memory: openMemory(join(folder, "memory.json")),
    input: process.stdin,
    write: (line) => void process.stdout.write(line),
    complain: (text) => void process.stderr.write(`${text}\n`),
    stop: new Promise((stop) => {
      process.once("SIGTERM", () => stop(143));
      process.once("SIGINT", () => stop(130));
      process.once("SIGHUP", () => stop(129));
    }),
  });
}

function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AoError({ code: "usage", message: "The settings are not JSON." });
  }
}

function tell(error: unknown): number {
  if (!(error instanceof AoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}
