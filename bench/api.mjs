import { Agent, request } from "node:http";

/**
 * A client of one daemon's socket. With `keepAlive` everything goes over one connection that stays open; without it each
 * call has its own, since the daemon closes idle ones and this program stands still while it measures other programs.
 */
export function createApi(socketPath, { keepAlive = false } = {}) {
  const agent = keepAlive ? new Agent({ keepAlive, maxSockets: 1 }) : new Agent();
  let opened = 0;

  function call(method, path, body) {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      // Node gives the body of a DELETE no length by itself, and the daemon would take it for the next request.
      const headers = {
        host: "localhost",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      };
      const outgoing = request({ socketPath, method, path, headers, agent, timeout: 300_000 }, (incoming) => {
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const answer = Buffer.concat(chunks).toString("utf8");
          if (incoming.statusCode >= 400) reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer}`));
          else resolve(JSON.parse(answer));
        });
      });
      outgoing.on("socket", () => {
        if (!outgoing.reusedSocket) opened += 1;
      });
      outgoing.on("error", reject);
      outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
      outgoing.end(text);
    });
  }

  return { call, opened: () => opened, close: () => agent.destroy() };
}
