import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isListed, normalizeHost } from "../core/host-list.ts";
import { isOfThisMachine, isPrivate } from "./addresses.ts";
import { answerWith, forward } from "./forward.ts";

/** More than an agent needs at the same time. */
const MAX_CONNECTIONS = 256;
const HEADERS_MS = 10_000;
const CONNECT_MS = 15_000;
/** A model may think for minutes before the next byte. */
const IDLE_MS = 15 * 60_000;

export interface ProxyOptions {
  readonly hosts: readonly string[];
  /** Of these, the only ones that are allowed now; null, or absent: all. */
  readonly onlyHosts?: () => readonly string[] | null;
  /** Called for each refused host, with the reason. */
  readonly onRefused: (host: string, reason: string) => void;
  /** Called for each connection that ended because of an error on either side. */
  readonly onTrouble?: (text: string) => void;
  /** Resolves a name; overridden in tests. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** The addresses of this machine now; overridden in tests. */
  readonly ownAddresses?: () => readonly string[];
}

export interface HostProxy {
  readonly server: Server;
  /** Closes the connections to hosts that are not allowed any more. */
  enforce(): void;
}

/** What a request needs: the rules, and where to register its connection. */
interface Gatekeeper extends ProxyOptions {
  readonly open: Set<Connection>;
}

interface Connection {
  readonly host: string;
  readonly socket: Socket;
}

/** The destination of a request. */
interface Target {
  readonly host: string;
  readonly port: number;
}

/** An HTTP proxy that connects to the listed hosts only. It resolves names itself, so clients need no DNS. */
export function createProxy(rules: ProxyOptions): HostProxy {
  const options: Gatekeeper = { ...rules, open: new Set() };
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: 0 }, (incoming, outgoing) => {
    fetchPlain(options, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connect", (incoming: IncomingMessage, client: Duplex, first: Buffer) => {
    tunnel(options, incoming, { client, first }).catch(() => client.destroy());
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
    socket.on("error", () => socket.destroy());
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    else socket.destroy();
  });
  const enforce = (): void => {
    for (const { host, socket } of options.open) if (whyRefused(options, host) !== null) socket.destroy();
  };
  return { server, enforce };
}

async function tunnel(
  options: Gatekeeper,
  { url = "" }: IncomingMessage,
  { client, first }: { readonly client: Duplex; readonly first: Buffer },
): Promise<void> {
  client.on("error", () => client.destroy());
  const target = readAuthority(url);
  const reached = target === null ? "this is not a host and a port" : await reach(options, target);
  if (typeof reached === "string") {
    client.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nao: ${reached}\n`);
    return;
  }
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (first.length > 0) reached.write(first);
  reached.pipe(client);
  client.pipe(reached);
  const end = (): void => {
    reached.destroy();
    client.destroy();
  };
  reached.on("error", end).on("close", end);
  client.on("close", end);
}

async function fetchPlain(options: Gatekeeper, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const refuse = (text: string): void => answerWith(outgoing, 403, text);
  const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url ?? "") : null;
  if (url?.protocol !== "http:") return refuse("this proxy needs a whole http: address, or CONNECT");
  const target = { host: normalizeHost(url.hostname), port: Number(url.port || 80) };
  const reached = await reach(options, target);
  if (typeof reached === "string") return refuse(reached);
  const onTrouble = (reason: string): void => options.onTrouble?.(`${target.host}:${target.port}: ${reason}`);
  forward({ url, reached, incoming, outgoing, onTrouble });
}

/** A connection to an allowed host, or the reason for refusing it. */
async function reach(options: Gatekeeper, target: Target): Promise<Socket | string> {
  const { onRefused, resolve = resolveName } = options;
  const { host, port } = target;
  const refuse = (reason: string): string => {
    onRefused(host, reason);
    return `${host} ${reason}`;
  };
  const refused = whyRefused(options, host);
  if (refused !== null) return refuse(refused);
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) return `${host} could not be resolved`;
  const open = addresses.filter((address) => whyUnreachable(options, host, address) === null);
  if (open.length === 0) return refuse(whyUnreachable(options, host, addresses[0] ?? "") ?? "");
  const socket = await connectToOne(open, port);
  if (socket === null) return `${host}:${port} does not answer`;
  // The host may have been taken while this was connecting.
  const late = whyRefused(options, host);
  if (late !== null) {
    socket.destroy();
    return refuse(late);
  }
  const connection = { host, socket };
  options.open.add(connection);
  socket.once("close", () => options.open.delete(connection));
  return socket;
}

function whyRefused({ hosts, onlyHosts = () => null }: ProxyOptions, host: string): string | null {
  if (!isListed(hosts, host)) return "is not in the sandbox's list of hosts (agentConfig.sandbox.network)";
  const allowed = onlyHosts();
  if (allowed === null || isListed(allowed, host)) return null;
  return "is not reachable any more, because this session has read untrusted text (trust.network)";
}

/**
 * A name must not lead to this machine or to a cloud's metadata services, and `*.name` not into a private network. Whoever needs those
 * lists the address, or the name, itself.
 */
function whyUnreachable(options: ProxyOptions, host: string, address: string): string | null {
  const isMeant = isIP(host) !== 0 || host === "localhost" || whyRefused(options, address) === null;
  if (isMeant) return null;
  if (isOfThisMachine(address, options.ownAddresses)) return "resolves to this machine; list its address to allow that";
  const isNamed = options.hosts.some((pattern) => pattern.toLowerCase() === host);
  if (isNamed || !isPrivate(address)) return null;
  return `resolves to a private address (${address}); list the name itself to allow that`;
}

async function connectToOne(addresses: readonly string[], port: number): Promise<Socket | null> {
  for (const address of addresses) {
    const socket = await connectTo(address, port);
    if (socket !== null) return socket;
  }
  return null;
}

async function resolveName(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function connectTo(address: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const fail = (): void => {
      socket.destroy();
      resolve(null);
    };
    socket.setTimeout(CONNECT_MS, fail);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.off("error", fail);
      socket.on("error", () => socket.destroy());
      socket.setTimeout(IDLE_MS, () => socket.destroy());
      resolve(socket);
    });
  });
}

/** The target of CONNECT: `host:port`, `[address]:port`. */
function readAuthority(text: string): Target | null {
  const [, host = "", port = ""] = /^(\[[0-9a-f:.]+\]|[^\s:/@?#[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  return host === "" || Number(port) === 0 || Number(port) > 65_535
    ? null
    : { host: normalizeHost(host), port: Number(port) };
}
