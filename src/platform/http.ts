import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { HttpError, type HttpReason, type HttpRequest, type HttpResponse } from "../ports/http.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 1024 * 1024;
/** Most servers close connections that were idle for longer than this. */
const KEPT_MS = 60_000;

const keptConnections = new Map<string, Agent>();

/** Sends one request, with bounded time and answer size. Its errors name only the host and never have a cause. */
export async function http(request: HttpRequest): Promise<HttpResponse> {
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new HttpError("invalid", "The address must start with http:// or https://.");
  }
  // Loaded on first use: most daemons never send a request and should not start slower for it.
  const client = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  if (request.isRead !== true) return send(client.request, url, { ...request, agent: false });
  const agent = keptConnections.get(url.protocol) ?? new client.Agent({ keepAlive: true, timeout: KEPT_MS });
  keptConnections.set(url.protocol, agent);
  return send(client.request, url, { ...request, agent });
}

/** A request and its connection; `agent` is false for a fresh one. */
interface Sending extends HttpRequest {
  readonly agent: Agent | false;
}

function send(start: Open, url: URL, request: Sending): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const asked = open(start, url, request);
    if (asked === null) {
      return reject(
        new HttpError("invalid", `The headers or the user for ${url.host} contain characters that are not allowed.`),
      );
    }
    // Until the connection is up, the server cannot have seen any of the request.
    let isConnected = false;
    asked.once("socket", (socket) => {
      isConnected = asked.reusedSocket;
      if (isConnected) return;
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        isConnected = true;
      });
    });
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timer = setTimeout(() => fail("timeout", `${timeoutMs / 1000} s`), timeoutMs);
    // The first reason wins: closing a connection here looks as if the server had closed it.
    const fail = (reason: HttpReason, detail: string): void => {
      clearTimeout(timer);
      reject(new HttpError(reason, describe(reason, url.host, detail)));
      asked.destroy();
    };
    let isAnswered = false;
    asked.on("error", (error) => {
      // The server closed the idle kept connection; only a new one shows whether the server can be reached.
      if (asked.reusedSocket && !isAnswered) {
        clearTimeout(timer);
        return resolve(send(start, url, { ...request, agent: false }));
      }
      fail(isConnected ? "broken" : "unreachable", codeOf(error));
    });
    asked.once("response", (answer) => {
      isAnswered = true;
      collect(answer, request.maxBytes ?? DEFAULT_MAX_BYTES).then(
        (response) => {
          clearTimeout(timer);
          resolve(response);
          if (request.agent === false || response.truncated) asked.destroy();
        },
        (error) => fail("broken", codeOf(error)),
      );
    });
    asked.end(request.body);
  });
}

type Open = (url: URL, options: RequestOptions) => ClientRequest;

function open(start: Open, url: URL, { method, headers, body, agent }: Sending): ClientRequest | null {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  try {
    // Writes get a fresh connection: the server may close a kept-alive one just as it is reused, and then it is unknown
    // whether it saw the write.
    return start(url, { method, headers: { ...headers, ...length }, agent });
  } catch {
    return null;
  }
}

async function collect(answer: IncomingMessage, limit: number): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    if (size > limit) break;
  }
  const body = Buffer.concat(chunks).toString("utf8");
  return { status: answer.statusCode ?? 0, headers: plain(answer.headers), body, truncated: size > limit };
}

function plain(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function describe(reason: HttpReason, host: string, detail: string): string {
  if (reason === "timeout") return `${host} did not answer within ${detail}.`;
  return reason === "unreachable"
    ? `${host} cannot be reached (${detail}).`
    : `${host} ended the connection before its answer was complete (${detail}).`;
}

// System error messages may quote a URL or part of the answer; error codes quote nothing.
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "no reason given";
}
