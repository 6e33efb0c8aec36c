import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import { AoError } from "../core/errors.ts";
import { CALLS_SOCKET } from "../core/sandbox.ts";
import { findPortHolder } from "../platform/port-holder.ts";
import { type HomePaths, isPrivateFolder } from "../protocol/home.ts";
import type { Transport } from "../server/app.ts";
import type { Peer } from "../server/seen-as.ts";
import type { TerminalSockets } from "../server/terminal/terminal-sockets.ts";

/** Handles requests and WebSocket upgrades. */
export interface Handler {
  fetch(request: Request, transport: Transport, peer?: Peer): Response | Promise<Response>;
  upgrade?: TerminalSockets["upgrade"];
}

export interface Listening {
  readonly port: number | null;
  close(): Promise<void>;
}

const FIRST_PORT = 3000;
const PORTS_TRIED = 50;
/** A request that takes longer to arrive is ended: a sender this slow only wants to hold the connection. */
const REQUEST_MS = 30_000;
const CHECK_MS = 5_000;

/** Serves the user's own programs on the Unix socket. */
export async function listenOnSocket(handler: Handler, paths: HomePaths): Promise<Listening> {
  if (paths.socketFolder !== null) makePrivateFolder(paths.socketFolder);
  // The daemon lock is held, so an existing socket belongs to nobody.
  rmSync(paths.socket, { force: true });
  const server = serverOf(handler, "socket", {});
  await listen(server, { path: paths.socket });
  chmodSync(paths.socket, 0o600);
  return { port: null, close: () => closeServer(server) };
}

/**
 * Serves one session's own calls on a socket in a folder that its sandbox mounts: a later daemon puts its socket into
 * the same folder. The folder's path may be longer than a socket's, so it is reached through a descriptor.
 */
export async function listenForSession(handler: Handler, folder: string, session: string): Promise<Listening> {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const path = `/proc/self/fd/${descriptor}/${CALLS_SOCKET}`;
  const server = serverOf(handler, { session }, {});
  try {
    rmSync(path, { force: true });
    await listen(server, { path });
    chmodSync(path, 0o600);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return {
    port: null,
    close: async () => {
      await closeServer(server);
      closeSync(descriptor);
    },
  };
}

function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Not followed: a link may lead into another user's folder.
  if (isPrivateFolder(lstatSync(folder), process.getuid?.() ?? 0)) return;
  throw new AoError({
    code: "store-unwritable",
    message: `The folder ${folder} for the daemon's socket belongs to another user or is open to others.`,
    hint: "Remove it, set XDG_RUNTIME_DIR, or choose a shorter AO_HOME.",
  });
}

export interface PortOptions {
  readonly host: string;
  readonly port: number | null;
  /** Certificate and key in PEM; null: HTTP. */
  readonly tls?: Tls | null;
  readonly requestMs?: number;
}

interface Tls {
  readonly cert: string;
  readonly key: string;
}

/**
 * Serves HTTP or HTTPS on loopback (or the configured address). A configured port must be free; the default falls back
 * to the next free one.
 */
export async function listenOnPort(handler: Handler, options: PortOptions): Promise<Listening> {
  const candidates =
    options.port === null ? Array.from({ length: PORTS_TRIED }, (_, index) => FIRST_PORT + index) : [options.port];
  for (const port of candidates) {
    const server = serverOf(handler, "tcp", options);
    try {
      await listen(server, { host: options.host, port });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE" && options.port === null) continue;
      throw explainListen(error, options.host, port);
    }
    const address = server.address();
    return {
      port: typeof address === "object" && address !== null ? address.port : port,
      close: () => closeServer(server),
    };
  }
  throw new AoError({
    code: "port-taken",
    message: `All ports from ${FIRST_PORT} to ${FIRST_PORT + PORTS_TRIED - 1} are taken.`,
    hint: "Give a free one with --port, or 0 for any.",
  });
}

function explainListen(error: unknown, host: string, port: number): AoError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EADDRINUSE") {
    return new AoError({
      code: "port-taken",
      message: `Port ${port} on ${host} is taken by ${findPortHolder(port) ?? "another program"}.`,
      hint: `Find it with \`lsof -i :${port}\`, or choose another port with --port (0: any free one).`,
      cause: error,
    });
  }
  return new AoError({
    code: "port-taken",
    message: `ao cannot listen on ${host}:${port} (${code ?? String(error)}).`,
    hint: "Choose another --host or --port.",
    cause: error,
  });
}

type Server = ReturnType<typeof createAdaptorServer>;

function serverOf(
  handler: Handler,
  transport: Transport,
  { tls = null, requestMs = REQUEST_MS }: Pick<PortOptions, "tls" | "requestMs">,
): Server {
  const limits = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs, CHECK_MS),
  };
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => handler.fetch(request, transport, peerOf(incoming as IncomingMessage)),
    ...(tls === null
      ? { serverOptions: limits }
      : { createServer: createTlsServer, serverOptions: { ...limits, ...tls } }),
  });
  const { upgrade } = handler;
  // A session has no terminal to open.
  if (upgrade === undefined || typeof transport === "object") return server;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(request, socket, { head, transport, peer: peerOf(request) }),
  );
  return server;
}

/** The other end of a request's connection. */
function peerOf({ socket }: Pick<IncomingMessage, "socket">): Peer {
  return { address: socket.remoteAddress ?? null, isTls: "encrypted" in socket && socket.encrypted === true };
}

function listen(
  server: Server,
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}
