import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { createSystemClock } from "../../../platform/clock.ts";
import { poll } from "../../../ports/poll.ts";
import { type Child, type ChildEnd, type ChildSpec, startChild } from "../../kit/child.ts";

/** The program's server and the lines to it. */
export interface Connection {
  send(line: string): void;
  /** Why it ended, in a sentence. */
  readonly ended: Promise<string>;
  /** Asks it to end, and kills it after the grace period. Never rejects. */
  end(graceMs: number): Promise<void>;
}

export type ConnectionSpec = Pick<ChildSpec, "program" | "args" | "cwd" | "env" | "onLine">;

interface SocketPlace {
  readonly path: string;
  readonly limitMs: number;
}

const RETRY_MS = 25;

/** Starts the server on its standard streams. */
export function connectByPipes(spec: ConnectionSpec): Connection {
  const child = startChild({ ...spec, args: [...spec.args, "app-server"] });
  return { send: child.send, ended: describe(child, spec.program), end: child.end };
}

/** Starts the server on a socket that other clients can share. Rejects with a sentence if it does not start. */
export async function connectBySocket(spec: ConnectionSpec, at: SocketPlace): Promise<Connection> {
  // A killed server leaves its socket behind, which could be mistaken for the new one.
  rmSync(at.path, { force: true });
  const args = [...spec.args, "app-server", "--listen", `unix://${at.path}`];
  const child = startChild({ ...spec, args, onLine: () => undefined });
  const ended = describe(child, spec.program);
  try {
    const socket = await Promise.race([
      connectWhenReady(at),
      ended.then((reason) => Promise.reject(new Error(reason))),
    ]);
    socket.on("message", (data) => spec.onLine(String(data)));
    // Without its connection the server is useless; its end is reported.
    socket.on("close", () => void child.end(0));
    return { send: (line) => socket.send(line, () => undefined), ended, end: child.end };
  } catch (error) {
    await child.end(0);
    throw error;
  }
}

// The program listens on its own short path and makes the given path a link, because that may be too long for a socket.
async function connectWhenReady({ path, limitMs }: SocketPlace): Promise<WebSocket> {
  let cause: unknown = null;
  const attempt = async (): Promise<WebSocket | null> => {
    try {
      return await open(await realpath(path));
    } catch (error) {
      cause = error;
      return null;
    }
  };
  const socket = await poll(createSystemClock(), { everyMs: RETRY_MS, timeoutMs: limitMs }, attempt);
  if (socket !== null) return socket;
  throw new Error(`Codex did not open its socket within ${Math.ceil(limitMs / 1000)} s.`, { cause });
}

function open(path: string): Promise<WebSocket> {
  const options = { createConnection: () => connect(path), perMessageDeflate: false, maxPayload: 0 };
  const socket = new WebSocket("ws://localhost/", options);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    // An open socket reports its end by `close`.
    socket.on("error", reject);
  });
}

async function describe(child: Child, program: string): Promise<string> {
  const { how, stderr }: ChildEnd = await child.ended;
  const last = stderr.split("\n").at(-1) ?? "";
  return `Codex (${program}) is gone: ${how}${last === "" ? "" : `: ${last}`}`;
}
