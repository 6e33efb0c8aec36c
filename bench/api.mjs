import { Agent, request } from "node:http";

/**
 * A client of one daemon, by the path of its socket, or by port and token. With `keepAlive` everything goes over one connection that stays open; without it each
 * call has its own, since the daemon closes idle ones and this program stands still while it measures other programs.
 */
export function createApi(where, { keepAlive = false } = {}) {
  const { token, ...target } = typeof where === "string" ? { socketPath: where } : where;
  const agent = keepAlive ? new Agent({ keepAlive, maxSockets: 1 }) : new Agent();
  let opened = 0;

  function send(method, path, text) {
    return new Promise((resolve, reject) => {
      // Node gives the body of a DELETE no length by itself, and the daemon would take it for the next request.
      const headers = {
        host: "localhost",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      };
      const outgoing = request({ ...target, method, path, headers, agent, timeout: 300_000 }, (incoming) => {
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const answer = Buffer.concat(chunks).toString("utf8");
          if (incoming.statusCode >= 400) reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer}`));
          else resolve(answer);
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

  return {
    call: async (method, path, body) =>
      JSON.parse(await send(method, path, body === undefined ? "" : JSON.stringify(body))),
    /** An answer as it came. */
    read: (path) => send("GET", path, ""),
    opened: () => opened,
    close: () => agent.destroy(),
  };
}
