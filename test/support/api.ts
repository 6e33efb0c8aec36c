import { request } from "node:http";

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** One call over the daemon's Unix socket; rejects when nobody answers. */
export function call<T>(
  socket: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath: socket, method, path, headers: { host: "localhost", ...headers }, timeout: 60_000 },
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
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer within 60 s")));
    if (body !== undefined) outgoing.write(JSON.stringify(body));
    outgoing.end();
  });
}
