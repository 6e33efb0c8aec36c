import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault, Faults } from "./faults.ts";

/** A recorded request, for counting. */
export interface SeenRequest {
  readonly method: string;
  /** As in the forge's documentation, without the query. */
  readonly path: string;
  readonly query: string;
  /** 0: no answer. */
  readonly status: number;
}

export interface ListeningServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** A request outside the API. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

/** How one kind of forge handles requests. */
export interface ForgeServer {
  readonly now: () => number;
  readonly faults: Faults;
  /** The path of a call as in the forge's documentation; null: not an API path. */
  readonly apiPath: (pathname: string) => string | null;
  readonly api: (request: Request) => Promise<Response>;
  /** Git, and pages of other kinds. */
  readonly other: (exchange: Exchange) => Promise<void>;
  /** How it asks a client to slow down. */
  readonly slowDown: { readonly status: number; readonly message: string };
}

/** Listens on a free local port. */
export async function listen(parts: ForgeServer): Promise<ListeningServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    response.sendDate = false;
    response.setHeader("date", new Date(parts.now()).toUTCString());
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  // On a busy machine a client may reuse a connection just as the server closes it.
  server.keepAliveTimeout = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const apiPath = parts.apiPath(url.pathname);
    const path = apiPath ?? url.pathname;
    const method = request.method ?? "GET";
    const done = (status: number): void => void seen.push({ method, path, query: url.search, status });
    const fault = parts.faults.take(`${method} ${path}`);
    if (fault !== null && (await misbehave(parts, fault, { request, response }))) return done(response.statusCode);
    if (apiPath === null) {
      await parts.other({ request, response, url });
      return done(response.statusCode);
    }
    const answer = await parts.api(
      await toRequest(request, `http://localhost${path === "" ? "/" : path}${url.search}`),
    );
    done(fault === null ? answer.status : 0);
    await send(answer, response, fault);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Applies faults that keep a request from being handled; false: handle it. */
async function misbehave(
  { slowDown }: ForgeServer,
  fault: Fault,
  { request, response }: Omit<Exchange, "url">,
): Promise<boolean> {
  if (fault.kind === "truncated" || fault.kind === "lost-answer") return false;
  response.statusCode = 0;
  if (fault.kind === "hang") return true;
  if (fault.kind === "hang-up") {
    request.socket.destroy();
    return true;
  }
  const isLimit = fault.kind === "secondary-limit";
  response.statusCode = isLimit ? slowDown.status : (fault.status ?? 502);
  if (isLimit) response.setHeader("retry-after", String(fault.retryAfter ?? 60));
  const message = isLimit ? slowDown.message : "Server Error";
  request.resume();
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify({ message }));
  return true;
}

async function toRequest(request: IncomingMessage, url: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const method = request.method ?? "GET";
  const body = method === "GET" || method === "HEAD" ? {} : { body: Buffer.concat(chunks) };
  return new Request(url, { method, headers, ...body });
}

async function send(answer: Response, response: ServerResponse, fault: Fault | null): Promise<void> {
  if (fault?.kind === "lost-answer") {
    response.socket?.destroy();
    return;
  }
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  const body = Buffer.from(await answer.arrayBuffer());
  const cut = fault?.kind === "truncated" ? body.subarray(0, Math.floor(body.length / 2)) : body;
  response.setHeader("content-length", cut.length);
  response.end(cut);
}
