import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { parse } from "hono/utils/cookie";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Principal } from "../../auth/tokens.ts";
import { AoError } from "../../core/errors.ts";
import type { Log } from "../../ports/host.ts";
import { toProblem } from "../../protocol/problem.ts";
import type { ProblemView } from "../../protocol/views/daemon.ts";
import { TerminalRequest } from "../../protocol/views/terminal.ts";
import { type AccessRules, admit } from "../access.ts";
import type { EngineView } from "../actions.ts";
import { type Audit, toRecord } from "../audit.ts";
import { cookieName } from "../cookie-name.ts";
import { findSession } from "../find-session.ts";
import { type HeaderOf, NO_PEER, type Peer, type Seen, seenAs } from "../seen-as.ts";
import { createWakeUp } from "../wake-up.ts";
import { createRooms, type Room } from "./room.ts";
import type { TerminalSources } from "./terminal-sources.ts";
import { parseCursor, runViewer } from "./viewer.ts";

export interface TerminalSockets {
  /** A WebSocket upgrade request. */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    opened: { head: Buffer; transport: "socket" | "tcp"; peer?: Peer },
  ): void;
  close(): void;
}

export interface TerminalSocketsOptions {
  readonly engine: EngineView;
  readonly sources: TerminalSources;
  readonly rules: () => AccessRules;
  readonly isTrustedProxy?: (address: string) => boolean;
  readonly audit: Pick<Audit, "record">;
  readonly log: Log;
}

/** A person types and pastes no more than this at once. */
const MAX_MESSAGE = 256 * 1024;
const PING_MS = 30_000;

/** Terminals over WebSockets: `GET /api/sessions/:id/terminal`. */
export function createTerminalSockets(options: TerminalSocketsOptions): TerminalSockets {
  const { engine, log } = options;
  const rooms = createRooms(options);
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false });
  const serve = async (socket: WebSocket, asked: Asked): Promise<void> => {
    const wakeUp = createWakeUp();
    const stopPings = keepAlive(socket);
    socket.on("close", wakeUp.wake);
    socket.on("error", wakeUp.wake);
    const entering = rooms.enter(asked.sessionId, wakeUp.wake);
    const readOnly = mayType(asked.principal) ? null : "this token may only read";
    // A page sends its size at once, before tmux has answered.
    listen(socket, entering, readOnly === null);
    const room = await entering;
    const { fs } = options.sources;
    try {
      await runViewer({ room, socket: toViewerSocket(socket), fs, wakeUp, from: asked.cursor, readOnly });
    } finally {
      stopPings();
      room.leave();
      socket.close();
    }
  };
  return {
    upgrade: (request, socket, { head, transport, peer = NO_PEER }) => {
      const call = `GET ${request.url?.split("?")[0] ?? ""}`;
      let known: Principal | undefined;
      try {
        const asked = read(request, {
          transport,
          seen: seenAs(headerOf(request), peer, options.isTrustedProxy ?? (() => false)),
          rules: options.rules(),
          world: engine.world,
          onKnown: (principal) => {
            known = principal;
          },
        });
        // Opening a terminal for typing is recorded once, not for each key.
        if (mayType(asked.principal)) options.audit.record(toRecord(call, known, { status: 101, code: null }));
        server.handleUpgrade(request, socket, head, (opened) => {
          serve(opened, asked).catch((error: unknown) => {
            log.error("a terminal's connection failed", { sessionId: asked.sessionId, reason: String(error) });
            opened.terminate();
          });
        });
      } catch (error) {
        const problem = refuse(socket, error);
        options.audit.record(toRecord(call, known, problem));
      }
    },
    close: () => {
      for (const client of server.clients) client.terminate();
    },
  };
}

function mayType(principal: Principal): boolean {
  return principal.kind === "owner" || (principal.kind === "token" && principal.scope !== "read");
}

interface Asked {
  readonly sessionId: string;
  readonly cursor: ReturnType<typeof parseCursor>;
  readonly principal: Principal;
}

interface Reading {
  readonly transport: "socket" | "tcp";
  readonly seen: Seen;
  readonly rules: AccessRules;
  readonly world: EngineView["world"];
  readonly onKnown: (principal: Principal) => void;
}

function read(request: IncomingMessage, { transport, seen, rules, world, onKnown }: Reading): Asked {
  const { origin, authorization, cookie = "" } = request.headers;
  const { host } = seen;
  // A whole URL instead of a path would name another host than the header that is checked.
  const url = new URL(`http://localhost${request.url?.startsWith("/") === true ? request.url : "/"}`);
  const name = cookieName(host);
  const principal = admit(
    {
      transport,
      // Typing is not reading: a browser must send its Origin, as for every write.
      method: authorization === undefined ? "POST" : "GET",
      path: url.pathname,
      host,
      target: host ?? "",
      origin,
      authorization,
      cookie: parse(cookie, name)[name],
      hasLink: false,
    },
    rules,
    onKnown,
  );
  const id = /^\/api\/sessions\/([^/]+)\/terminal$/.exec(url.pathname)?.[1];
  if (id === undefined) {
    const message = `There is no WebSocket at ${url.pathname}.`;
    throw new AoError({ code: "not-found", message, hint: "/api/sessions/ID/terminal is one." });
  }
  return {
    sessionId: findSession(world, decodeURIComponent(id)).id,
    cursor: parseCursor(url.searchParams.get("cursor")),
    principal,
  };
}

function headerOf({ headers }: IncomingMessage): HeaderOf {
  return (name) => [headers[name]].flat()[0];
}

function refuse(socket: Duplex, error: unknown): ProblemView {
  const problem = toProblem(error);
  const body = JSON.stringify(problem);
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  return problem;
}

function listen(socket: WebSocket, entering: Promise<Room>, mayType: boolean): void {
  let lane: Promise<void> = Promise.resolve();
  const act = (action: (room: Room) => Promise<void> | void): void => {
    if (!mayType) return;
    // A terminal that has just ended accepts no more keys.
    lane = lane.then(async () => action(await entering)).catch(() => undefined);
  };
  const press = (bytes: Uint8Array): void => act((room) => room.now()?.link?.press(bytes));
  socket.on("message", (data: RawData, isBinary: boolean) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
    if (isBinary) return press(bytes);
    const { data: request } = TerminalRequest.safeParse(parseJson(bytes.toString("utf8")));
    if (request === undefined) return socket.close(1008, "not a terminal message");
    if (request.type === "input") press(Buffer.from(request.data, "utf8"));
    else act((room) => room.resize(request));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toViewerSocket(socket: WebSocket): Parameters<typeof runViewer>[0]["socket"] {
  return {
    isOpen: () => socket.readyState === socket.OPEN,
    send: (data) => new Promise((resolve) => socket.send(data, () => resolve())),
  };
}

// Detects a viewer that vanished silently, and frees its place.
function keepAlive(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_MS);
  return () => clearInterval(timer);
}
