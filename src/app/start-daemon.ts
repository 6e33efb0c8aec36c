import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { AoError } from "../core/errors.ts";
import { isSandboxed } from "../core/sandbox.ts";
import type { Executors } from "../engine/executor.ts";
import type { Faults } from "../engine/fault.ts";
import { takeDaemonLock } from "../platform/daemon-lock.ts";
import { createNodeHost } from "../platform/host.ts";
import { createFileLog } from "../platform/log.ts";
import { requireSupportedPlatform } from "../platform/processes.ts";
import type { DaemonFile } from "../protocol/daemon-file.ts";
import type { HomePaths } from "../protocol/home.ts";
import type { HealthView } from "../protocol/views/daemon.ts";
import { trackerOf } from "./actions/issue.ts";
import { scmOf } from "./actions/scm-of.ts";
import { adoptConfigs } from "./adopt-configs.ts";
import { createRequestHandler } from "./create-request-handler.ts";
import { stopSession } from "./disk-reserve.ts";
import { followIssues } from "./follow-issues.ts";
import { prepareHome, readOrMakeToken } from "./home-folder.ts";
import { type Kernel, startKernel } from "./kernel.ts";
import { type Listening, listenOnPort, listenOnSocket } from "./listen.ts";
import { addressOf, readTls } from "./network.ts";
import { reportStatus } from "./report-status.ts";
import { reportWork } from "./report-work.ts";
import { requireGit } from "./repository-facts.ts";
import { keepLogins } from "./sandbox/home/keep-logins.ts";
import { waitUntil } from "./wait-until.ts";
import { findWarnings } from "./warnings.ts";
import { watchConfig } from "./watch-config.ts";

export interface DaemonOptions {
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Called when the daemon has shut down on request. */
  readonly onExit: () => void;
  readonly faults?: Faults;
  readonly executors?: Executors;
}

export interface Daemon {
  readonly kernel: Kernel;
  readonly url: string | null;
  /** Stops serving and deciding; agents keep running. */
  stop(reason: string): Promise<void>;
}

/** Starts the one daemon of an AO_HOME: lock, store, recovery, then the listeners. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { paths } = options;
  requireSupportedPlatform(process.platform);
  prepareHome(paths);
  const lock = takeDaemonLock(paths.lock);
  if (lock === null) throw alreadyRunning(paths);
  const log = createFileLog(paths.log);
  const host = createNodeHost({ log, env: options.env });
  await requireGit(host);
  const secret = readOrMakeToken(paths);
  const kernel = await startKernel({
    host,
    paths,
    userHome: options.userHome,
    secret,
    ...(options.faults === undefined ? {} : { faults: options.faults }),
    ...(options.executors === undefined ? {} : { executors: options.executors }),
  });
  await kernel.engine.submit({ input: { type: "daemon.up", version: options.version, pid: process.pid } });
  // People also edit the files while no daemon runs.
  await adoptConfigs(kernel).catch((error: unknown) =>
    log.warn("the configuration is not in force", { reason: String(error) }),
  );
  return serve(options, { kernel, secret, lock });
}

interface Started {
  readonly kernel: Kernel;
  readonly secret: string;
  readonly lock: { release(): void };
}

async function serve(options: DaemonOptions, { kernel, secret, lock }: Started): Promise<Daemon> {
  const { paths, env } = options;
  const machine = await kernel.configs.machine(kernel.engine.loop.world.view.projects());
  const host = env["AO_HOST"] ?? machine?.host ?? "127.0.0.1";
  const port = parsePort(env["AO_PORT"]) ?? machine?.port ?? null;
  const dashboard = machine?.dashboard ?? { allowedHosts: [], tls: null, trustedProxies: [] };
  const stopFollowing = startFollowing(kernel);
  const doors: Listening[] = [];
  const state: { url: string | null; stopping: Promise<void> | null } = { url: null, stopping: null };
  const url = (): string | null => state.url;

  const stop = (reason: string): Promise<void> => {
    state.stopping ??= (async () => {
      await kernel.engine.submit({ input: { type: "daemon.down", reason } }).catch(() => undefined);
      stopFollowing();
      for (const door of doors) await door.close();
      await kernel.close();
      rmSync(paths.socket, { force: true });
      rmSync(paths.daemon, { force: true });
      lock.release();
    })();
    return state.stopping;
  };
  const shutdown = async ({ sessions }: { readonly sessions: boolean }): Promise<void> => {
    if (sessions) await stopSessions(kernel);
    await stop("asked for");
    options.onExit();
  };
  const health = (): HealthView => describeHealth(options, kernel, state.url);
  const handler = createRequestHandler(kernel, {
    ...{ paths, secret, machine, dashboard, host, url, health },
    shutdown: (how) => void shutdown(how),
  });
  doors.push({ port: null, close: async () => handler.close() });
  try {
    const tls = readTls(dashboard.tls);
    const tcp = await listenOnPort(handler, { host, port, tls });
    doors.push(tcp);
    state.url = addressOf({ host, port: tcp.port, isTls: tls !== null });
    doors.push(await listenOnSocket(handler, paths));
    doors.push(await kernel.calls.serve(handler, enclosedSessions(kernel)));
  } catch (error) {
    await stop("could not listen");
    throw error;
  }
  writeDaemonFile(options, state.url);
  return { kernel, url: state.url, stop };
}

// Their agents outlived the last daemon.
function enclosedSessions({ engine }: Kernel): readonly string[] {
  const live = [...engine.loop.world.view.sessions()].filter(({ phase }) => phase !== "stopped");
  return live.filter(({ agent }) => isSandboxed(agent)).map(({ id }) => id);
}

// What the daemon does between requests, besides the loop; returns a function that ends it.
function startFollowing(kernel: Kernel): () => void {
  const stops = [
    watchConfig(kernel),
    keepLogins(kernel),
    followIssues(kernel),
    reportWork({ ...kernel, trackerOf: (projectId) => trackerOf(kernel, projectId) }),
    reportStatus({ ...kernel, scmOf: (projectId) => scmOf(kernel, projectId) }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function describeHealth({ version, paths }: DaemonOptions, kernel: Kernel, url: string | null): HealthView {
  const trouble = kernel.engine.loop.trouble();
  const warnings = findWarnings(kernel).map(({ text }) => text);
  return {
    ok: trouble === null,
    version,
    pid: process.pid,
    url,
    socket: paths.socket,
    trouble: trouble?.message ?? null,
    warning: warnings.join(" ") || null,
  };
}

function writeDaemonFile({ version, paths }: DaemonOptions, url: string | null): void {
  const startedAt = new Date().toISOString();
  const file: DaemonFile = { pid: process.pid, version, url, socket: paths.socket, startedAt };
  writeFileSync(paths.daemon, `${JSON.stringify(file)}\n`, { mode: 0o600 });
}

// A session that cannot be stopped must not keep the daemon from stopping.
async function stopSessions(kernel: Kernel): Promise<void> {
  const world = kernel.engine.loop.world.view;
  const open = [...world.sessions()].filter((session) => session.phase !== "stopped");
  const isStopped = (): boolean => open.every((session) => world.session(session.id)?.phase === "stopped");
  try {
    await Promise.all(open.map(({ id }) => stopSession(kernel, id, { reason: "all sessions are stopped" })));
    await waitUntil(kernel.engine, 60_000, isStopped);
  } catch (error) {
    kernel.host.log.error("sessions were not stopped", { reason: String(error) });
  }
}

function alreadyRunning(paths: HomePaths): AoError {
  let holder = "";
  try {
    holder = ` (pid ${(JSON.parse(readFileSync(paths.daemon, "utf8")) as DaemonFile).pid})`;
  } catch {
    // It is just starting and has not written its file yet.
  }
  return new AoError({
    code: "daemon-running",
    message: `A daemon already runs for ${paths.home}${holder}.`,
    hint: "Use it, stop it with `ao stop`, or choose another AO_HOME.",
  });
}

function parsePort(text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new AoError({ code: "usage", message: `"${text}" is not a port.`, hint: "Give a number from 0 to 65535." });
}
