import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { makeRepo } from "../../src/testing/git-repo.ts";
import { diskFolder, removeFolder } from "../../src/testing/temp.ts";
import { warningsIn } from "../e2e/cli/stderr.ts";
import { type Answer, call } from "./api.ts";
import { createDiaryReader, type DiaryEntry } from "./diary.ts";
import type { Receipts } from "./judge.ts";
import { killAll } from "./kill-all.ts";
import { replayDifferences } from "./replay.ts";
import { until } from "./until.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Notifications of a test must not reach the person who runs it. */
const NO_DESKTOP = { DISPLAY: "", WAYLAND_DISPLAY: "", DBUS_SESSION_BUS_ADDRESS: "", XDG_RUNTIME_DIR: "" };

export const diaryAgent = join(root, "test/fixtures/bin/diary-agent.mjs");

export interface FleetOptions {
  readonly agentConfig?: Record<string, unknown>;
  readonly project?: Record<string, unknown>;
  readonly machine?: Record<string, unknown>;
  /** Entry of the daemon; default the real one. */
  readonly entry?: string;
  readonly files?: Record<string, string>;
  /** Prepares the repository before anything else. */
  readonly prepare?: (repo: string) => void;
  /** Variables of the project's sessions and checks. */
  readonly projectEnv?: Record<string, string>;
  /** Variables of every daemon of this fleet. */
  readonly env?: Record<string, string>;
  /** For agents with their own sandbox. */
  readonly isOnDisk?: boolean;
}

/** A real repository, a real AO_HOME and a real daemon process, which can be killed and started again. */
export interface Fleet {
  readonly dir: string;
  readonly repo: string;
  readonly home: string;
  readonly socket: string;
  start(env?: Record<string, string>): Promise<void>;
  daemonPid(): number;
  /** Kills the daemon with SIGKILL. */
  kill(): Promise<void>;
  isUp(): boolean;
  exitOf(): Promise<number | null>;
  api<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  /** A write that is retried with the same key until a daemon answers. */
  write<T>(method: string, path: string, body?: unknown, key?: string): Promise<Answer<T>>;
  session(id: string): Promise<SessionDetailView>;
  diary(sessionId: string): readonly DiaryEntry[];
  /** What the agent's processes confirmed, read from their output. */
  receipts(sessionId: string): Receipts;
  /** Ends everything and checks that the log replays to the live state; a test that makes many fleets calls it itself. */
  dispose(): Promise<void>;
}

/** Makes a fleet; at the end of the test the daemon and all agents end, and the log must replay to the live state. */
export async function makeFleet(options: FleetOptions = {}): Promise<Fleet> {
  const fleet = openFleet(options);
  onTestFinished(fleet.dispose);
  return fleet;
}

/** One fleet, with its daemon up, for all tests of a group whose sessions do not disturb each other. */
export function shareFleet(options: FleetOptions = {}): () => Fleet {
  let fleet: Fleet | null = null;
  beforeAll(async () => {
    fleet = openFleet(options);
    await fleet.start();
    await fleet.write("POST", "/api/projects", { path: fleet.repo });
  });
  afterAll(() => fleet?.dispose());
  return () => {
    if (fleet === null) throw new Error("the fleet is there once the tests run");
    return fleet;
  };
}

function openFleet(options: FleetOptions): Fleet {
  // A sandbox has its own /dev, without the files in /dev/shm.
  const isOnDisk = options.isOnDisk === true || options.agentConfig?.["sandbox"] !== undefined;
  const parent = isOnDisk ? diskFolder() : tmpdir();
  const dir = realpathSync(mkdtempSync(join(parent, "ao-fleet-")));
  const repo = makeRepo(join(dir, "repo"), options.files);
  options.prepare?.(repo);
  const home = join(dir, "home");
  const diaryDir = join(dir, "diary");
  mkdirSync(diaryDir, { recursive: true });
  const config = {
    ...options.machine,
    projects: {
      demo: {
        path: ".",
        agent: "command",
        agentConfig: { command: [diaryAgent], ...options.agentConfig },
        env: { AO_DIARY: diaryDir, ...options.projectEnv },
        // Agents in these tests leave files uncommitted on purpose; test/e2e/cli/commit.test.ts tests the reminder.
        reactions: { uncommitted: { action: "notify" } },
        ...options.project,
      },
    },
  };
  writeFileSync(join(repo, "agent-orchestrator.yaml"), stringify(config));
  writeFileSync(join(repo, ".git/info/exclude"), "/agent-orchestrator.yaml\n", { flag: "a" });
  let child: ChildProcess | null = null;
  let exit: Promise<number | null> = Promise.resolve(null);
  const warnings: string[] = [];
  const socket = join(home, "ao.sock");

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const started = spawn(process.execPath, [options.entry ?? join(root, "dist/app/daemon.js")], {
      env: {
        ...process.env,
        ...NO_DESKTOP,
        AO_HOME: home,
        AO_PORT: "0",
        GIT_CONFIG_GLOBAL: "/dev/null",
        ...options.env,
        ...env,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    let stderr = "";
    started.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      warnings.push(...warningsIn(chunk.toString()));
    });
    exit = new Promise((resolve) => started.once("exit", (code) => resolve(code)));
    await until("the daemon to answer", async () => {
      if (started.exitCode !== null || started.signalCode !== null) return true;
      return (await call<{ ok: boolean }>(socket, "GET", "/healthz")).body.ok;
    });
    if (stderr !== "") process.stderr.write(stderr);
  };

  const fleet: Fleet = {
    dir,
    repo,
    home,
    socket,
    start,
    daemonPid: () => child?.pid ?? 0,
    kill: async () => {
      child?.kill("SIGKILL");
      await exit;
    },
    isUp: () => child !== null && child.exitCode === null && child.signalCode === null,
    exitOf: () => exit,
    api: (method, path, body, headers) => call(socket, method, path, body, headers),
    write: (method, path, body, key = randomUUID()) =>
      until(`${method} ${path} to be answered`, async () => {
        if (!fleet.isUp()) await start();
        return call(socket, method, path, body, { "idempotency-key": key });
      }),
    session: async (id) => (await call<SessionDetailView>(socket, "GET", `/api/sessions/${id}`)).body,
    diary: createDiaryReader(diaryDir),
    receipts: (sessionId) => readReceipts(join(home, "sessions", sessionId, "runs")),
    dispose: async () => {
      await fleet.kill();
      endAgents(home);
      endTerminals(home);
      await until("the agents to end", () => processesOf(home).length === 0);
      const database = join(home, "ao.db");
      const differences = existsSync(database) ? await replayDifferences(database) : [];
      removeFolder(dir);
      expect(differences).toEqual([]);
      expect(warnings.slice(0, 10)).toEqual([]);
    },
  };
  return fleet;
}

function readReceipts(runs: string): Receipts {
  const receipts = new Map<number, Set<string>>();
  for (const run of existsSync(runs) ? readdirSync(runs) : []) {
    const [out, pid] = ["out", "pid"].map((name) => join(runs, run, name));
    if (out === undefined || pid === undefined || !existsSync(out) || !existsSync(pid)) continue;
    const ids = [...readFileSync(out, "utf8").matchAll(/^\{"type":"received","id":"([^"]+)"\}$/gm)].map(
      ([, id]) => id ?? "",
    );
    receipts.set(Number(readFileSync(pid, "utf8")), new Set(ids));
  }
  return receipts;
}

/** Kills every process that was started for a session of this AO_HOME. */
function endAgents(home: string): void {
  killAll(processesOf(home));
}

// The tmux server outlives the daemon and keeps the screens of dead programs.
function endTerminals(home: string): void {
  const socket = join(home, "tmux.sock");
  if (existsSync(socket)) spawnSync("tmux", ["-S", socket, "kill-server"]);
}

/** Live processes whose environment names this AO_HOME as an agent's. */
export function processesOf(home: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
        if (!environ.includes(home) || !environ.includes("AO_SESSION=")) return false;
        if (!environ.split("\0").includes(`AO_HOME=${home}`)) return false;
        return !/ Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/\(.*\)/, ""));
      } catch {
        return false;
      }
    });
}
