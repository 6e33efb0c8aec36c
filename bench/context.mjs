import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createIdleSessions } from "./sessions.mjs";
import { createWorld } from "./world.mjs";

const IDLE_SESSIONS = 50;
const SHORT_SESSIONS = 3;
const SETTLE_MS = 5000;
const LARGE_FILES = 20_000;
const SHORT_FILES = 200;
const FILES_PER_FOLDER = 100;

/** What measures share; each thing is created when first needed. */
export function createContext(options = {}) {
  const world = createWorld();
  const pick = (whole, short) => (options.short === true ? short : whole);
  const repos = {
    tiny: once(() => world.makeRepo("tiny", { "README.md": "# tiny\n", "src/main.txt": "hello\n" })),
    large: once(() => world.makeRepo("large", manyFiles(pick(LARGE_FILES, SHORT_FILES)))),
  };
  const spawnLog = join(world.dir, "spawned");
  let waiting = null;
  const idle = once(async () => {
    const fleet = await world.openFleet({ repos: [repos.tiny()], spawnLog });
    waiting = fleet;
    const sessions = await createIdleSessions(fleet, "tiny", options.agents ?? pick(IDLE_SESSIONS, SHORT_SESSIONS));
    await pause(pick(SETTLE_MS, 0));
    return { fleet, sessions, spawnLog };
  });
  return {
    world,
    options,
    /** The first of both, or the second if this run only shows that every measure works. */
    pick,
    repo: (size) => repos[size](),
    /** A daemon without sessions; the fleet of fifty ends first, so that it does not disturb the measurement. */
    openFleet: async (sizeOrRepos) => {
      await waiting?.kill();
      return world.openFleet({ repos: Array.isArray(sizeOrRepos) ? sizeOrRepos : [repos[sizeOrRepos]()] });
    },
    /** A daemon with fifty agents waiting for input, shared by all measures that need it; those run first. */
    idleFleet: idle,
    /** Runs a program and returns the milliseconds; throws if it fails. */
    runProgram: (program, args, options = {}) => runProgram(program, args, { env: world.env, ...options }),
    /** The floor for any Node program. */
    runNode: () => runProgram(process.execPath, ["-e", "0"], { env: world.env }).ms,
  };
}

/** Synchronous on purpose, so that the event loop adds nothing to the wait. */
function runProgram(program, args, options) {
  const start = process.hrtime.bigint();
  const result = spawnSync(program, args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", ...options });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (result.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${result.error ?? result.stderr}`);
  return { ms, stdout: result.stdout };
}

function manyFiles(count) {
  const names = Array.from({ length: count }, (_, index) => {
    const folder = Math.floor(index / FILES_PER_FOLDER);
    return `src/part-${folder}/file-${index}.txt`;
  });
  return Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(10)]));
}

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
