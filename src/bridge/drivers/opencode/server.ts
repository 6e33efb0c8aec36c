import { setTimeout as pause } from "node:timers/promises";
import { type Child, type ChildEnd, type ChildSpec, startChild } from "../../kit/child.ts";
import type { Api } from "./api.ts";

/** The program's server as a child of the bridge. */
export interface Server {
  readonly child: Child;
  /** Its URL, once it listens. */
  readonly url: Promise<string>;
}

const HEALTH_MS = 1500;
const PAUSE_MS = 100;

/** Starts the server on a free loopback port. */
export function startServer(spec: Omit<ChildSpec, "onLine">): Server {
  let listens: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    listens = resolve;
  });
  const onLine = (line: string): void => {
    const [, found] = /listening on (http:\/\/\S+)/.exec(line) ?? [];
    if (found !== undefined) listens(found);
  };
  return { child: startChild({ ...spec, onLine }), url };
}

/** Waits until the server answers: the first request after its port opens may hang, the next one does not. */
export async function waitForServer(url: string, api: Api, isOver: () => boolean): Promise<void> {
  // Any answer will do, even one without the password.
  await insist(() => fetch(`${url}/global/health`, { signal: AbortSignal.timeout(HEALTH_MS) }), isOver);
  // The first request about the workspace makes it load everything for it.
  await insist(() => api.get("/session/status"), isOver);
}

async function insist(ask: () => Promise<unknown>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await ask();
      return;
    } catch {
      await pause(PAUSE_MS);
    }
  }
}

/** How it ended, for a person. */
export function describeEnd(program: string, { how, stderr }: ChildEnd): string {
  const last = stderr.split("\n").at(-1) ?? "";
  return `OpenCode (${program}) is gone: ${how}${last === "" ? "" : `: ${last}`}`;
}
