import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLoginLinks } from "../auth/login-links.ts";
import { createTokens } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import type { Executors } from "../engine/executor.ts";
import type { Faults } from "../engine/fault.ts";
import { takeDaemonLock } from "../platform/daemon-lock.ts";
import { createNodeHost } from "../platform/host.ts";
import { createFileLog } from "../platform/log.ts";
import { requireSupportedPlatform } from "../platform/processes.ts";
import type { DaemonFile } from "../protocol/daemon-file.ts";
import type { HomePaths } from "../protocol/home.ts";
import type { HealthView } from "../protocol/views/daemon.ts";
import { createServer, createSockets } from "../server/create-server.ts";
import { adoptMachine } from "./actions/add-project.ts";
import { trackerOf } from "./actions/issue.ts";
import { scmOf } from "./actions/scm-of.ts";
import { createTerminalSources } from "./actions/terminal.ts";
import { createAuditFile } from "./audit-file.ts";
import { createActions } from "./create-actions.ts";
import { createHandlers } from "./create-handlers.ts";
import { stopSession } from "./disk-reserve.ts";
import { followIssues } from "./follow-issues.ts";
import { prepareHome, readOrMakeToken, tokenFile } from "./home-folder.ts";
import { type Kernel, startKernel } from "./kernel.ts";
import { type Listening, listenOnPort, listenOnSocket } from "./listen.ts";
import { loginFile } from "./login-file.ts";
import { addressOf, findNetworkUrl, ownNames, readTls } from "./network.ts";
import { readPageFiles } from "./read-page-files.ts";
import { reportStatus } from "./report-status.ts";
import { reportWork } from "./report-work.ts";
import { requireGit } from "./repository-facts.ts";
import { waitUntil } from "./wait-until.ts";
import { findWarnings } from "./warnings.ts";
import { watchConfig } from "./watch-config.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

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

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

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
  await adoptMachine(kernel).catch((error: unknown) =>
    log.warn("the configuration is not in force", { reason: String(error) }),
  );
  return openDoors(options, kernel, secret, lock);
}

async function openDoors(
  options: DaemonOptions,
  kernel: Kernel,
  secret: string,
  lock: { release(): void },
): Promise<Daemon> {
  const { paths } = options;
  const machine = await kernel.configs.machine(kernel.engine.loop.world.view.projects());
  const host = options.env["AO_HOST"] ?? machine?.host ?? "127.0.0.1";
  const askedPort = parsePort(options.env["AO_PORT"]) ?? machine?.port ?? null;
  const doors: Listening[] = [];
  const stopWatching = watchConfig(kernel);
  const stopFollowing = followIssues(kernel);
  const stopReporting = reportWork({ ...kernel, trackerOf: (projectId) => trackerOf(kernel, projectId) });
  const stopStatus = reportStatus({ ...kernel, scmOf: (projectId) => scmOf(kernel, projectId) });
  const state: { url: string | null; stopping: Promise<void> | null } = { url: null, stopping: null };

  const stop = (reason: string): Promise<void> => {
    state.stopping ??= (async () => {
      await kernel.engine.submit({ input: { type: "daemon.down", reason } }).catch(() => undefined);
      stopWatching();
      stopFollowing();
      stopReporting();
      stopStatus();
      for (const door of doors) await door.close();
      await kernel.close();
      rmSync(paths.socket, { force: true });
      rmSync(paths.daemon, { force: true });
      lock.release();
    })();
    return state.stopping;
  };
  const health = (): HealthView => {
    const trouble = kernel.engine.loop.trouble();
    return {
      ok: trouble === null,
      version: options.version,
      pid: process.pid,
      url: state.url,
      socket: paths.socket,
      trouble: trouble?.message ?? null,
      warning:
        findWarnings(kernel)
          .map(({ text }) => text)
          .join(" ") || null,
    };
  };
  const shutdown = ({ sessions }: { readonly sessions: boolean }): void => {
    void (async () => {
      if (sessions)
        await stopSessions(kernel).catch((error: unknown) =>
          log.error("sessions were not stopped", { reason: String(error) }),
        );
      await stop("asked for");
      options.onExit();
    })();
  };
  const { log, clock } = kernel.host;
  const actions = createActions(kernel, { health, shutdown });
  const tokens = createTokens({ main: secret, ...tokenFile(paths) });
  const links = createLoginLinks({ now: clock.now, ...loginFile(paths) });
  const dashboard = machine?.dashboard ?? { allowedHosts: [], tls: null, trustedProxies: [] };
  const { trustedProxies } = dashboard;
  const allowedHosts = (): readonly string[] => [...LOOPBACK, ...ownNames(host), ...dashboard.allowedHosts];
  const networkUrl = (): string | null => findNetworkUrl(state.url, dashboard);
  const page = readPageFiles(join(import.meta.dirname, "../web"));
  const audit = createAuditFile(paths, clock);
  const terminals = createSockets(
    { actions, tokens, links, allowedHosts, trustedProxies, audit, log },
    createTerminalSources(kernel),
  );
  const publicUrl = machine?.webhooks.url ?? null;
  const webhookHosts = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const webhooks = createWebhooks(kernel, { publicUrl, ownUrl: () => state.url });
  const passedThrough = createHandlers(kernel, webhooks);
  const handler = {
    fetch: createServer({
      ...{ actions, passedThrough, tokens, links, page },
      ...{ allowedHosts, webhookHosts, trustedProxies, networkUrl, audit, log },
    }),
    upgrade: terminals.upgrade,
  };
  doors.push({ port: null, close: async () => terminals.close() });
  try {
    const tls = readTls(dashboard.tls);
    const tcp = await listenOnPort(handler, { host, port: askedPort, tls });
    doors.push(tcp);
    state.url = addressOf({ host, port: tcp.port, isTls: tls !== null });
    doors.push(await listenOnSocket(handler, paths));
  } catch (error) {
    await stop("could not listen");
    throw error;
  }
  const file: DaemonFile = {
    pid: process.pid,
    version: options.version,
    url: state.url,
    socket: paths.socket,
    startedAt: new Date().toISOString(),
  };
  writeFileSync(paths.daemon, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  return { kernel, url: state.url, stop };
}

async function stopSessions(kernel: Kernel): Promise<void> {
  const world = kernel.engine.loop.world.view;
  const open = [...world.sessions()].filter((session) => session.phase !== "stopped");
  await Promise.all(open.map(({ id }) => stopSession(kernel, id, { reason: "all sessions are stopped" })));
  await waitUntil(kernel.engine, 60_000, () => open.every((session) => world.session(session.id)?.phase === "stopped"));
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
