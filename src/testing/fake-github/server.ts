import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiParts, createApi, tokenOf } from "./api.ts";
import type { Fault } from "./faults.ts";
import { serveGit } from "./git-http.ts";
import { followBranches } from "./pulls.ts";
import { findRepository } from "./world.ts";

/** A request that the server has seen, for counting. */
export interface SeenRequest {
  readonly method: string;
  /** As in GitHub's documentation, without the query. */
  readonly path: string;
  readonly query: string;
  /** 0: it got no answer. */
  readonly status: number;
}

export interface ListeningServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** Listens on a free port of this machine: the API, git, and the host of job logs. */
export async function listen(parts: ApiParts): Promise<ListeningServer> {
  const api = createApi(parts);
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    response.sendDate = false;
    response.setHeader("date", new Date(parts.world.now()).toUTCString());
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname.replace(/^\/api\/v3(?=\/|$)/, "").replace(/^\/api(?=\/graphql$)/, "");
    const method = request.method ?? "GET";
    const done = (status: number): void => void seen.push({ method, path, query: url.search, status });
    const fault = parts.faults.take(`${method} ${path}`);
    if (fault !== null && (await misbehave(fault, request, response))) return done(response.statusCode);
    if (!url.pathname.startsWith("/api/")) {
      await serveOther(parts, { request, response, url });
      return done(response.statusCode);
    }
    const answer = await api(await toRequest(request, `http://localhost${path === "" ? "/" : path}${url.search}`));
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

/** Faults that keep a request from being handled; false: it is handled. */
async function misbehave(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (fault.kind === "truncated" || fault.kind === "lost-answer") return false;
  response.statusCode = 0;
  if (fault.kind === "hang") return true;
  if (fault.kind === "hang-up") {
    request.socket.destroy();
    return true;
  }
  const isLimit = fault.kind === "secondary-limit";
  response.statusCode = isLimit ? 403 : (fault.status ?? 502);
  if (isLimit) response.setHeader("retry-after", String(fault.retryAfter ?? 60));
  const message = isLimit ? "You have exceeded a secondary rate limit. Please wait a few minutes." : "Server Error";
  request.resume();
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify({ message, documentation_url: "https://docs.github.com/rest" }));
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

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

async function serveOther(parts: ApiParts, exchange: Exchange): Promise<void> {
  const log = /^\/logs\/(\d+)$/.exec(exchange.url.pathname);
  if (log === null) await serveRepository(parts, exchange);
  else serveLog(parts, exchange, Number(log[1]));
}

/** The host of logs signs its addresses: whoever sends it a token has leaked that token. */
function serveLog({ world }: ApiParts, { request, response }: Exchange, jobId: number): void {
  const isLeak = request.headers.authorization !== undefined;
  const job = world.repositories.flatMap(({ jobs }) => jobs).find(({ id }) => id === jobId);
  response.statusCode = isLeak ? 400 : job === undefined ? 404 : 200;
  response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end(isLeak ? "Authorization must not be sent here" : (job?.log ?? ""));
}

async function serveRepository({ world }: ApiParts, { request, response, url }: Exchange): Promise<void> {
  const [, owner = "", name = "", path = ""] = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/.*)$/.exec(url.pathname) ?? [];
  const repository = findRepository(world, owner, name);
  const token = tokenOf(world, request.headers.authorization);
  if (token === null || repository === null) {
    response.statusCode = token === null ? 401 : 404;
    if (token === null) response.setHeader("www-authenticate", 'Basic realm="GitHub"');
    request.resume();
    response.end();
    return;
  }
  await serveGit(request, response, { repository, path, query: url.search.slice(1), login: token.account.login });
  if (request.method === "POST") for (const one of world.repositories) await followBranches(world, one);
}
