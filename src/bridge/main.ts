import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { AoError } from "../core/errors.ts";
import { appendLine } from "../platform/append-line.ts";
import { type BridgeOptions, runBridge } from "./bridge.ts";
import type { Brief, CreateDriver } from "./driver.ts";
import { followFile } from "./follow-file.ts";
import { openMemory } from "./memory.ts";
import type { Screen, ScreenPlace } from "./screen.ts";

/** Every driver by its name on the command line; only the requested one is loaded. */
const DRIVERS: Readonly<Record<string, () => Promise<CreateDriver>>> = {
  claude: async () => (await import("./drivers/claude/claude.ts")).createClaudeDriver,
  codex: async () => (await import("./drivers/codex/codex.ts")).createCodexDriver,
  opencode: async () => (await import("./drivers/opencode/opencode.ts")).createOpencodeDriver,
  acp: async () => (await import("./drivers/acp/acp.ts")).createAcpDriver,
  aider: async () => (await import("./drivers/headless/aider/aider.ts")).createAiderDriver,
  cursor: async () => (await import("./drivers/headless/cursor/cursor.ts")).createCursorDriver,
};

const HUNG_UP = 129;
const POLL_MS = 500;
const USAGE = `Usage: node main.js ${Object.keys(DRIVERS).join("|")} [SETTINGS as JSON]\n`;

// Without our own listener, Node opens its inspector on this signal.
process.on("SIGUSR1", () => undefined);
// Without a reader of its output, the bridge has no purpose.
process.stdout.on("error", () => process.exit(1));
process.exit(await run().catch(explain));

async function run(): Promise<number> {
  const [name = "", settings = "{}", ...more] = process.argv.slice(2);
  const load = Object.hasOwn(DRIVERS, name) ? DRIVERS[name] : undefined;
  if (load === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const cwd = process.cwd();
  const folder = await findFolder(cwd, process.env);
  const { AO_SCREEN: screen, ...env } = process.env;
  const terminal = screen === undefined ? null : await openTerminal(screen);
  return runBridge({
    createDriver: await load(),
    settings: parseSettings(settings),
    cwd: resolve(cwd),
    env,
    folder,
    memory: openMemory(join(folder, "memory.json")),
    brief: readBrief(process.env["AO_BRIEF"]),
    ...(terminal === null ? pipes() : beside(terminal)),
    stop: new Promise((stop) => {
      process.once("SIGTERM", () => stop(143));
      process.once("SIGINT", () => stop(130));
      process.once("SIGHUP", () => stop(HUNG_UP));
      if (terminal !== null) void untilHungUp().then(() => stop(HUNG_UP));
    }),
  });
}

interface Terminal {
  readonly place: ScreenPlace;
  readonly screen: Screen;
}

// Loaded only if there is one: most sessions use pipes.
async function openTerminal(described: string): Promise<Terminal> {
  const { createScreen, readScreenPlace } = await import("./screen.ts");
  const place = readScreenPlace(described);
  return { place, screen: createScreen(place) };
}

type Streams = Pick<BridgeOptions, "input" | "write" | "complain" | "screen">;

function pipes(): Streams {
  return {
    input: process.stdin,
    write: (line) => void process.stdout.write(line),
    complain: (text) => void process.stderr.write(`${text}\n`),
  };
}

// In a terminal the standard streams belong to the vendor's interface, so ours are files.
function beside({ place, screen }: Terminal): Streams {
  const errors = join(dirname(place.outbox), "err");
  const input: Readable = followFile(place.inbox);
  const write = (line: string): void => void appendLine(place.outbox, line.trimEnd());
  return { input, write, complain: (text) => void appendLine(errors, text), screen };
}

// Only the terminal's session leader gets the signal when it closes, and not every vendor's interface exits without it.
async function untilHungUp(): Promise<void> {
  while (hasTerminal()) await pause(POLL_MS, undefined, { ref: false });
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

function readBrief(path: string | undefined): Brief | null {
  return path === undefined || !existsSync(path) ? null : { path, text: readFileSync(path, "utf8") };
}

function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AoError({ code: "usage", message: "The settings are not JSON." });
  }
}

function explain(error: unknown): number {
  if (!(error instanceof AoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}

/**
 * Where a session's bridge keeps its files: with the session's own, or in the git folder of a workspace without them.
 */
async function findFolder(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { AO_HOME: home, AO_SESSION: session } = env;
  if (home && session) return join(home, "sessions", session, "bridge");
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--absolute-git-dir"], { cwd });
    return join(stdout.trim(), "ao-bridge");
  } catch (cause) {
    throw new AoError({
      code: "not-a-repository",
      message: `${cwd} is not in a git repository, and no session is named by AO_HOME and AO_SESSION.`,
      cause,
    });
  }
}
