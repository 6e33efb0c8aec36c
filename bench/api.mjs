import { Agent, request } from "node:http";

/** A client of one daemon's socket. `connections: 1` sends everything over one connection that stays open. */
export function createApi(socketPath, { connections = 64 } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let opened = 0;

  function call(method, path, body) {
    return new Promise((resolve, reject) => {
      const headers = { host: "localhost", ...(body === undefined ? {} : { "content-type": "application/json" }) };
      const outgoing = request({ socketPath, method, path, headers, agent, timeout: 300_000 }, (incoming) => {
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          if (incoming.statusCode >= 400) reject(new Error(`${method} ${path}: ${incoming.statusCode} ${text}`));
          else resolve(JSON.parse(text));
        });
      });
      outgoing.on("socket", () => {
        if (!outgoing.reusedSocket) opened += 1;
      });
      outgoing.on("error", reject);
      outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  return { call, opened: () => opened, close: () => agent.destroy() };
}
