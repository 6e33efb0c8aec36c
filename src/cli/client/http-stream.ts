import { type IncomingMessage, request as open } from "node:http";

export interface StreamRequest {
  readonly socket: string;
  readonly path: string;
  /** A longer silence ends the request. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A request for events over the daemon's socket; returns the answer as a stream. */
export function openStream(request: StreamRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = open({
      socketPath: request.socket,
      path: request.path,
      // An open connection would keep this process alive.
      agent: false,
      timeout: request.timeoutMs,
      headers: { host: "localhost", accept: "text/event-stream" },
      signal: request.signal,
    });
    outgoing.on("timeout", () => outgoing.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.end();
  });
}
