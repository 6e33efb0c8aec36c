import { createConnection } from "node:net";
import { InvariantError } from "../../core/errors.ts";
import { type HttpAnswer, parseAnswer } from "./parse-answer.ts";

export interface HttpRequest {
  readonly socket: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** A longer silence ends the request. */
  readonly timeoutMs: number;
  /** Ends the request and its connection, which would keep this process alive. */
  readonly signal?: AbortSignal;
}

/** The maximum size of one read from a socket in Node. */
const READ_SIZE = 65_536;

/**
 * Sends one request over the daemon's socket and returns the whole answer. Uses the socket directly: loading and
 * running node:http would cost a short command about as much as everything else it does.
 */
export function exchange(request: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = createConnection(request.socket);
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      // A full read is not the last one; parsing each time would make a long answer quadratic.
      const answer = chunk.length < READ_SIZE ? parseAnswer(Buffer.concat(chunks), false) : null;
      if (answer === null) return;
      resolve(answer);
      socket.destroy();
    };
    const finish = (error: Error): void => {
      // The daemon may have answered in full before it closed its side, for example to reject a body.
      const answer = parseAnswer(Buffer.concat(chunks));
      if (answer === null) reject(error);
      else resolve(answer);
    };
    socket.setTimeout(request.timeoutMs, () => socket.destroy(failure("ETIMEDOUT", "no answer")));
    const { signal } = request;
    const leave = (): void => void socket.destroy();
    signal?.addEventListener("abort", leave, { once: true });
    socket.on("data", take);
    socket.on("error", finish);
    socket.on("close", () => {
      // A long wait makes many requests under one signal.
      signal?.removeEventListener("abort", leave);
      finish(failure("ECONNRESET", "the connection ended before the answer"));
    });
    if (signal?.aborted === true) leave();
    else socket.write(formatRequest(request));
  });
}

/** The text of a request; the connection closes after the answer, so that this process can end. */
export function formatRequest(request: HttpRequest): string {
  if (!/^[A-Z]+$/.test(request.method) || !/^\/[!-~]*$/.test(request.path)) {
    throw new InvariantError(`not a request: ${request.method} ${request.path}`);
  }
  const { body = "" } = request;
  const headers = {
    host: "localhost",
    accept: "application/json",
    connection: "close",
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...(request.method === "GET" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request.method} ${request.path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** No process listens on the socket, or it cannot exist. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR";
}

/** The connection broke midway, so it is unknown how far the request got. */
export function isBroken(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ECONNRESET" || code === "EPIPE";
}

/** The system's error code, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
