import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createApi } from "./api.mjs";
import { endAll, processesBelow } from "./proc.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bench = fileURLToPath(new URL(".", import.meta.url));
const AGENTS_AT_ONCE = 500;

/** A temporary folder with a copy of the built program, repositories and daemons; `dispose` leaves nothing behind. */
export function createWorld() {
  // Short, because the daemon's socket is in it.
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "ao-bench-")));
  const program = copyProgram(join(dir, "program"));
  let homes = 0;
  const fleets = [];

  return {
    dir,
    program,
    cli: join(program, "dist/cli/ao.cjs"),
    env: environmentOf(join(dir, "no-home")),
    makeRepo: (name, files, project) => makeRepo(join(dir, name), name, files, project),
    /** Starts a daemon with a new AO_HOME, or with the one of a daemon that has ended. */
    openFleet: async (options) => {
      homes += 1;
      const fleet = await openFleet(program, options.home ?? join(dir, `home-${homes}`), options);
      fleets.push(fleet);
      return fleet;
    },
    // Nothing here waits, so that it also completes on Ctrl-C.
    dispose: () => {
      for (const fleet of fleets) fleet.api.close();
      for (let tries = 0; tries < 20; tries += 1) {
        const left = processesBelow(`${dir}/`);
        if (left.length === 0) break;
        endAll(left);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      }
      // Several times faster than rmSync with hundreds of thousands of files.
      execFileSync("rm", ["-rf", dir]);
    },
  };
}

/** A build in the working copy must not change the program while it is measured. */
function copyProgram(target) {
  mkdirSync(target);
  cpSync(join(root, "dist"), join(target, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(target, "package.json"));
  symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
  return target;
}

/** The caller's environment without variables that affect ao, Node or git, so that every machine measures the same. */
function environmentOf(home) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(AO_|GIT_|NODE_|npm_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    AO_HOME: home,
    AO_PORT: "0",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
}

function makeRepo(path, name, files, project = {}) {
  for (const [file, text] of Object.entries(files)) {
    const folder = join(path, file, "..");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(path, file), text);
  }
  const git = (...args) => execFileSync("git", args, { cwd: path, env: environmentOf(""), stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("config", "gc.auto", "0");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@example.com");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  writeFileSync(join(path, ".git/info/exclude"), "/agent-orchestrator.yaml\n", { flag: "a" });
  // JSON is YAML.
  const config = {
    limits: { parallelAgents: AGENTS_AT_ONCE },
    projects: {
      [name]: {
        path: ".",
        agent: "command",
        agentConfig: { command: [join(bench, "idle-agent.sh")] },
        runtime: "process",
        ...project,
      },
    },
  };
  writeFileSync(join(path, "agent-orchestrator.yaml"), JSON.stringify(config));
  return { name, path };
}

async function openFleet(program, home, { repos, spawnLog, isReady = untilHealthy, env: more = {} }) {
  const hook = spawnLog === undefined ? [] : ["--import", import.meta.resolve("./spawn-log.mjs")];
  const env = { ...environmentOf(home), ...more };
  const started = Date.now();
  const daemon = spawn(process.execPath, [...hook, join(program, "dist/app/daemon.js")], {
    env: { ...env, ...(spawnLog === undefined ? {} : { BENCH_SPAWN_LOG: spawnLog }) },
    stdio: ["ignore", "ignore", "inherit"],
    // Ctrl-C is for this program, which then ends the daemon.
    detached: true,
  });
  const socketPath = join(home, "ao.sock");
  const api = createApi(socketPath);
  await isReady(socketPath, daemon);
  const startedMs = Date.now() - started;
  for (const repo of repos) await api.call("POST", "/api/projects", { path: repo.path });
  const ended = new Promise((resolve) => daemon.once("exit", resolve));
  return {
    home,
    socketPath,
    env,
    api,
    pid: daemon.pid,
    startedMs,
    // Killed, because saving and removing every workspace first would take longer than the measurement.
    kill: async () => {
      api.close();
      daemon.kill("SIGKILL");
      await ended;
      endAll(processesBelow(home));
    },
  };
}

async function untilHealthy(socketPath, daemon) {
  const api = createApi(socketPath);
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with code ${daemon.exitCode}`);
    if (Date.now() > deadline) throw new Error("the daemon does not answer");
    if (await api.call("GET", "/healthz").catch(() => null)) return;
    await pause(10);
  }
}
