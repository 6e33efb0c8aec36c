import { request } from "node:http";
import { PATIENCE_MS } from "../../src/testing/patience.ts";

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** One call over the daemon's Unix socket; rejects if there is no answer. */
export function call<T>(
  socket: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath: socket, method, path, headers: { host: "localhost", ...headers }, timeout: PATIENCE_MS },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          try {
            resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as T });
          } catch {
            reject(new Error(`not JSON: ${text.slice(0, 200)}`));
          }
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    if (body !== undefined) outgoing.write(JSON.stringify(body));
    outgoing.end();
  });
}
