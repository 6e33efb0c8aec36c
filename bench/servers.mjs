import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createApi } from "./api.mjs";

const PATIENCE_MS = 120_000;
let made = 0;

/** A bare node:http server in its own process: the minimum cost of any server. */
export async function startBareServer(world) {
  made += 1;
  const socketPath = join(world.dir, `bare-${made}.sock`);
  return { socketPath, ...(await startServer(world, [script("bare-server.mjs"), socketPath], () => ({ socketPath }))) };
}

/** A daemon's server on a seeded fleet of this many sessions; `signalMs`: how often one of its agents gives a sign of life. */
export async function startSeededFleet(world, count, { signalMs } = {}) {
  made += 1;
  const home = join(world.dir, `seeded-${made}`);
  mkdirSync(home);
  const args = [script("seeded-fleet.mjs"), home, String(count), ...(signalMs === undefined ? [] : [String(signalMs)])];
  return { home, ...(await startServer(world, args, JSON.parse)) };
}

/** Starts a program and waits for its first line or, without one, for its first answer. */
async function startServer(world, args, whereOf) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env: world.env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const isQuiet = args[0].endsWith("bare-server.mjs");
  const line = isQuiet ? "" : await new Promise((resolve) => createInterface(child.stdout).once("line", resolve));
  const where = whereOf(line);
  await untilAnswers(where);
  return {
    where,
    pid: child.pid,
    startedMs: performance.now() - started,
    api: createApi(where, { keepAlive: true }),
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Requests the first page until it arrives. */
export async function untilAnswers(where) {
  const deadline = Date.now() + PATIENCE_MS;
  const api = createApi(where);
  while ((await api.read("/").catch(() => null)) === null) {
    if (Date.now() > deadline) throw new Error("the server does not answer");
    await pause(2);
  }
  api.close();
}

function script(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
