import { type IncomingMessage, request as open } from "node:http";

export interface HttpRequest {
  readonly socket: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Silence longer than this ends the request. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** One request over the daemon's socket, answered whole. */
export async function exchange(request: HttpRequest): Promise<HttpAnswer> {
  const response = await openResponse(request);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    type: response.headers["content-type"] ?? "",
    text: Buffer.concat(chunks).toString("utf8"),
  };
}

/** One request over the daemon's socket; the body of the answer comes as it is written. */
export function openResponse(request: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = request.body === undefined ? null : Buffer.from(request.body, "utf8");
    const outgoing = open({
      socketPath: request.socket,
      method: request.method,
      path: request.path,
      // A connection that stays open would keep this short-lived process alive.
      agent: false,
      timeout: request.timeoutMs,
      headers: {
        host: "localhost",
        accept: "application/json",
        ...(body === null ? {} : { "content-type": "application/json", "content-length": body.length }),
        ...request.headers,
      },
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    outgoing.on("timeout", () => outgoing.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.end(body ?? undefined);
  });
}

/** Nobody listens on the socket, or there cannot even be one. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR";
}

/** The connection ended in the middle, so nobody here knows how far the request came. */
export function isBroken(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ECONNRESET" || code === "EPIPE" || code === "HPE_INVALID_EOF_STATE";
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
