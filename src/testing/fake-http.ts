import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Http, HttpError, type HttpRequest, type HttpResponse } from "../ports/http.ts";
import type { Fault, Faults } from "./fake-forge/faults.ts";

export interface SeenCall {
  /** `GET /rest/api/3/myself`, without the query; for GraphQL with the operation's name: `POST /graphql ListIssues`. */
  readonly call: string;
  readonly query: string;
  /** 0: no answer. */
  readonly status: number;
}

/** A test server that is a function: called in process, or over a port for programs. */
export interface FakeServer {
  readonly http: Http;
  readonly seen: readonly SeenCall[];
  listen(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

interface FakeServerOptions {
  readonly handle: (request: Request) => Promise<Response>;
  readonly faults: Faults;
  /** How this server asks clients to slow down. */
  readonly slowDown: (retryAfter: number) => Response;
}

export function createFakeServer(options: FakeServerOptions): FakeServer {
  const seen: SeenCall[] = [];
  const http: Http = async (request) => {
    const { pathname, search, host } = new URL(request.url);
    const operation = /"query":"(?:query|mutation) (\w+)/.exec(request.body ?? "")?.[1];
    const call = `${request.method} ${pathname}${operation === undefined ? "" : ` ${operation}`}`;
    const fault = options.faults.take(call);
    const done = (status: number): void => void seen.push({ call, query: search, status });
    if (fault?.kind === "hang-up" || fault?.kind === "hang") {
      done(0);
      throw failure(fault, host);
    }
    const answer = await answerOf(request, fault, options);
    done(fault?.kind === "lost-answer" ? 0 : answer.status);
    if (fault?.kind === "lost-answer") throw failure(fault, host);
    const body = await answer.text();
    const cut = fault?.kind === "truncated" ? body.slice(0, body.length / 2) : body;
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: cut, truncated: false };
  };
  return { http, seen, listen: () => listen(http) };
}

async function answerOf(request: HttpRequest, fault: Fault | null, options: FakeServerOptions): Promise<Response> {
  if (fault?.kind === "status")
    return Response.json({ errorMessages: ["Server Error"] }, { status: fault.status ?? 502 });
  if (fault?.kind === "secondary-limit") return options.slowDown(fault.retryAfter ?? 60);
  const { method, url, headers = {}, body } = request;
  return options.handle(new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }));
}

function failure({ kind }: Fault, host: string): HttpError {
  if (kind === "hang") return new HttpError("timeout", `${host} did not answer within 30 s.`);
  return new HttpError("broken", `${host} ended the connection before its answer was complete (ECONNRESET).`);
}

async function listen(http: Http): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await http({
      method: request.method as HttpRequest["method"],
      url: new URL(request.url ?? "/", "http://127.0.0.1").href,
      headers,
      ...(body === "" ? {} : { body }),
    }).catch((): HttpResponse | null => null);
    if (answer === null) return void request.socket.destroy();
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
