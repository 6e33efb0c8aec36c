import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Child, type ChildEnd, type ChildSpec, startChild } from "../../kit/child.ts";

/** The program's server and the lines to it. */
export interface Connection {
  send(line: string): void;
  /** Why it is gone, in a sentence. */
  readonly ended: Promise<string>;
  /** Asks it to end, and ends it after the grace. Never rejects. */
  end(graceMs: number): Promise<void>;
}

export type ConnectionSpec = Pick<ChildSpec, "program" | "args" | "cwd" | "env" | "onLine">;

const RETRY_MS = 25;

/** Starts the server with its lines on its standard streams. */
export function connectByPipes(spec: ConnectionSpec): Connection {
  const child = startChild({ ...spec, args: [...spec.args, "app-server"] });
  return { send: child.send, ended: describe(child, spec.program), end: child.end };
}

/** Starts the server on a socket, which others can use beside us. Rejects, with a sentence, when it does not come up. */
export async function connectBySocket(
  spec: ConnectionSpec,
  at: { readonly path: string; readonly limitMs: number },
): Promise<Connection> {
  // A former one leaves it behind when it is killed, and would be taken for the new one.
  rmSync(at.path, { force: true });
  const args = [...spec.args, "app-server", "--listen", `unix://${at.path}`];
  const child = startChild({ ...spec, args, onLine: () => undefined });
  const ended = describe(child, spec.program);
  try {
    const socket = await Promise.race([reach(at), ended.then((reason) => Promise.reject(new Error(reason)))]);
    socket.on("message", (data) => spec.onLine(String(data)));
    // Without its lines the server is of no use; its end tells.
    socket.on("close", () => void child.end(0));
    return { send: (line) => socket.send(line, () => undefined), ended, end: child.end };
  } catch (error) {
    await child.end(0);
    throw error;
  }
}

// The program listens at a short path of its own and makes the one that it was given a link: that one may be too long
// for a socket.
async function reach({ path, limitMs }: { readonly path: string; readonly limitMs: number }): Promise<WebSocket> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await open(await realpath(path));
    } catch (cause) {
      const sentence = `Codex did not open its socket within ${Math.ceil(limitMs / 1000)} s.`;
      if (Date.now() > deadline) throw new Error(sentence, { cause });
      await pause(RETRY_MS);
    }
  }
}

function open(path: string): Promise<WebSocket> {
  const options = { createConnection: () => connect(path), perMessageDeflate: false, maxPayload: 0 };
  const socket = new WebSocket("ws://localhost/", options);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    // Of a socket that is open, the end tells.
    socket.on("error", reject);
  });
}

async function describe(child: Child, program: string): Promise<string> {
  const { how, stderr }: ChildEnd = await child.ended;
  const last = stderr.split("\n").at(-1) ?? "";
  return `Codex (${program}) is gone: ${how}${last === "" ? "" : `: ${last}`}`;
}
