import { Agent, request } from "node:http";

/**
 * A client of one daemon, by the path of its socket, or by port and token. With `keepAlive` everything goes over one connection that stays open; without it each
 * call has its own, because the daemon closes idle ones and this program blocks while it measures other programs.
 */
export function createApi(where, { keepAlive = false } = {}) {
  const { token, ...target } = typeof where === "string" ? { socketPath: where } : where;
  const agent = keepAlive ? new Agent({ keepAlive, maxSockets: 1 }) : new Agent();
  let opened = 0;

  function send(method, path, text, finish = toText) {
    return new Promise((resolve, reject) => {
      // Node sets no length for the body of a DELETE, and the daemon would take it for the next request.
      const headers = {
        host: "localhost",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      };
      const outgoing = request({ ...target, method, path, headers, agent, timeout: 300_000 }, (incoming) => {
        incoming.on("error", reject);
        const isRefused = incoming.statusCode >= 400;
        const refuse = (answer) => reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer}`));
        if (isRefused) toText(incoming, refuse);
        else finish(incoming, resolve);
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
    /** An unparsed answer. */
    read: (path) => send("GET", path, ""),
    /** Waits for the last byte of an answer and drops it: the server's time, without this program's own. */
    drain: (path) => send("GET", path, "", countBytes),
    opened: () => opened,
    close: () => agent.destroy(),
  };
}

function toText(incoming, done) {
  const chunks = [];
  incoming.on("data", (chunk) => chunks.push(chunk));
  incoming.on("end", () => done(Buffer.concat(chunks).toString("utf8")));
}

function countBytes(incoming, done) {
  let count = 0;
  incoming.on("data", (chunk) => {
    count += chunk.length;
  });
  incoming.on("end", () => done(count));
}
