import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { createTerminalSources } from "../../src/app/actions/terminal.ts";
import { createActions } from "../../src/app/create-actions.ts";
import { createHandlers } from "../../src/app/create-handlers.ts";
import { prepareHome, readOrMakeToken, tokenFile } from "../../src/app/home-folder.ts";
import type { Kernel } from "../../src/app/kernel.ts";
import { listenOnPort } from "../../src/app/listen.ts";
import { createPluginInstances } from "../../src/app/plugin-instances.ts";
import { createProjectConfigs } from "../../src/app/project-configs.ts";
import { readPageFiles } from "../../src/app/read-page-files.ts";
import { createLogins } from "../../src/app/sandbox/home/logins.ts";
import { createSessionCalls } from "../../src/app/session-calls.ts";
import { createWebhooks } from "../../src/app/webhooks/webhooks.ts";
import { createLoginLinks } from "../../src/auth/login-links.ts";
import { createTokens } from "../../src/auth/tokens.ts";
import { noFaults } from "../../src/engine/fault.ts";
import { createLoop, type Loop } from "../../src/engine/loop.ts";
import { createNodeHost } from "../../src/platform/host.ts";
import { createFileLog } from "../../src/platform/log.ts";
import { openSqliteStore } from "../../src/platform/sqlite-store.ts";
import { homePaths } from "../../src/protocol/home.ts";
import { createServer, createSockets } from "../../src/server/create-server.ts";
import { copyFleet } from "../../src/testing/fleet/copy-fleet.ts";
import { PROJECTS } from "../../src/testing/fleet/sample.ts";
import { MADE_UP, makeSampleRepository } from "../../src/testing/fleet/sample-repository.ts";
import { seedFleet, sessionNumbers } from "../../src/testing/fleet/seed-fleet.ts";
import { createSimulatedFleet, type SimulatedFleet } from "../../src/testing/fleet/simulated-fleet.ts";

export interface ServedFleet {
  readonly url: string;
  readonly token: string;
  /** A link that signs a browser in. */
  link(): Promise<string>;
  close(): Promise<void>;
}

/** How often one of the agents gives a sign of life. */
const SIGNAL_MS = 2000;

/** The daemon's own server on a seeded fleet whose agents, checks and merges are simulated. */
export async function serveFleet(options: {
  readonly home: string;
  readonly count: number;
  readonly port: number | null;
  /** The built dashboard. */
  readonly page: string;
  readonly signalMs?: number;
  /** How many copies of each session there are; only in memory. */
  readonly copies?: number;
}): Promise<ServedFleet> {
  const env = { ...process.env, AO_HOME: options.home };
  const paths = homePaths({ env, userHome: homedir(), uid: process.getuid?.() ?? 0, cwd: process.cwd() });
  prepareHome(paths);
  const store = openSqliteStore(paths.database);
  const folders = Object.fromEntries(PROJECTS.map(({ id }) => [id, makeProject(join(options.home, "code", id))]));
  const numbers = sessionNumbers(options.count);
  const [commits = MADE_UP] = Object.values(folders).map((path) => makeSampleRepository(path, numbers));
  await seedFleet(store, { count: options.count, now: Date.now(), paths: folders, commits });
  const host = createNodeHost({ log: createFileLog(paths.log), env });
  const stored = await store.load();
  const loaded = { ...stored, states: copyFleet(stored.states, options.copies ?? 1) };
  const loop = createLoop({ store, loaded, clock: host.clock, log: host.log, faults: noFaults });
  seedWindows(loop, Date.now());
  seedOutput(loop, (sessionId, run) => join(paths.sessions, sessionId, "runs", String(run)));
  const stopSimulation = simulate(createSimulatedFleet(loop, commits), options.signalMs ?? SIGNAL_MS);
  const secret = readOrMakeToken(paths);
  const kernel: Kernel = {
    ...{ host, paths, store, secret, keys: new Map(), adopted: [] },
    plugins: createPluginInstances(host, paths.home),
    configs: createProjectConfigs(host, paths, homedir()),
    calls: createSessionCalls(host, paths),
    logins: createLogins(host, paths),
    engine: {
      loop,
      submit: loop.submit,
      subscribe: loop.subscribe,
      refresh: async () => undefined,
      report: () => 0,
      forgeTroubles: () => [],
      idle: async () => undefined,
      close: async () => loop.close(),
    },
    runDir: (sessionId, run) => join(paths.sessions, sessionId, "runs", String(run)),
    close: async () => store.close(),
  };
  const health = { ok: true, version: "0.1.0", pid: process.pid, socket: paths.socket, trouble: null };
  const state: { url: string } = { url: "" };
  const server = {
    actions: createActions(kernel, { health: () => ({ ...health, url: state.url }), shutdown: () => undefined }),
    passedThrough: createHandlers(kernel, createWebhooks(kernel, { publicUrl: null, ownUrl: () => state.url })),
    tokens: createTokens({ main: secret, ...tokenFile(paths) }),
    links: createLoginLinks({ now: host.clock.now, load: () => [], save: () => undefined }),
    page: readPageFiles(options.page),
    allowedHosts: () => ["localhost", "127.0.0.1", "[::1]"],
    audit: { record: () => undefined, read: () => [] },
    log: host.log,
  };
  const sockets = createSockets(server, createTerminalSources(kernel));
  const door = await listenOnPort(
    { fetch: createServer(server), upgrade: sockets.upgrade },
    { host: "127.0.0.1", port: options.port },
  );
  state.url = `http://localhost:${door.port}`;
  const link = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const answer = await fetch(`${state.url}/api/link`, { method: "POST", headers, body: "{}" });
    return ((await answer.json()) as { readonly url: string }).url;
  };
  return {
    url: state.url,
    token: secret,
    link,
    close: async () => {
      stopSimulation();
      sockets.close();
      await door.close();
      loop.close();
      await store.close();
    },
  };
}

// A folder with a configuration, so that settings have something to edit.
function makeProject(path: string): string {
  mkdirSync(path, { recursive: true });
  const yaml = [
    "# The sample project.",
    "projects:",
    `  ${basename(path)}:`,
    "    path: .",
    "    agent: claude-code",
    "    reactions:",
    "      # The end-to-end check needs patience.",
    "      ci-failed: { retries: 2, escalateAfter: 40m }",
    "    policies:",
    "      approvals: 1",
    "",
  ].join("\n");
  writeFileSync(join(path, "agent-orchestrator.yaml"), yaml);
  return path;
}

// As agents would have reported them in the last hour: one window lasts, one does not.
function seedWindows({ world }: Loop, now: number): void {
  const minute = 60_000;
  for (let ago = 60; ago >= 0; ago -= 10) {
    const at = now - ago * minute;
    const five = (usedPercent: number, inMinutes: number) => ({
      name: "5 h",
      usedPercent,
      resetsAt: now + inMinutes * minute,
    });
    const week = { name: "7 days", usedPercent: 44 - ago / 60, resetsAt: now + 3 * 24 * 60 * minute };
    world.noteWindows("claude-code", [five(31 - ago / 6, 204), week], at);
    world.noteWindows("codex", [five(58 - (ago * 2) / 5, 216)], at);
  }
}

// What agents printed, as programs without a protocol do: words without a time, and plain lines.
function seedOutput({ world }: Loop, runDir: (sessionId: string, run: number) => string): void {
  const said = JSON.stringify({
    type: "say",
    text: "I will look for every place that rounds, then change them together.",
  });
  const plain = "src/invoice/total.ts:41: Math.round(net * 100) / 100\n".repeat(3);
  for (const { id, run } of world.view.activeSessions()) {
    if (run.state !== "alive") continue;
    mkdirSync(runDir(id, run.n), { recursive: true });
    writeFileSync(join(runDir(id, run.n), "out"), `${said}\n${plain}`);
  }
}

// Requests succeed, and working agents keep giving signs of life.
function simulate(fleet: SimulatedFleet, signalMs: number): () => void {
  const { loop } = fleet;
  let busy = Promise.resolve();
  const unsubscribe = loop.subscribe(() => {
    busy = busy.then(() => fleet.settle()).catch(() => undefined);
  });
  let turn = 0;
  const timer = setInterval(() => {
    const working = [...loop.world.view.activeSessions()].filter(({ activity }) => activity.state === "working");
    const session = working[turn++ % Math.max(1, working.length)];
    if (session === undefined) return;
    const note = session.activity.note ?? "thinking";
    loop.world.noteReport(session.id, { run: session.run.n, state: "working", note, at: Date.now() });
  }, signalMs);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}
