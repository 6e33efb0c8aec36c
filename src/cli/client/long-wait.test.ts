import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { homePaths } from "../../protocol/home.ts";
import { tempDir } from "../../testing/temp.ts";
import { followPages } from "./follow-pages.ts";
import { exchange } from "./http.ts";
import { openStream } from "./http-stream.ts";

const POLLS = 30;

/** A daemon that answers each request with a page, the last one after `POLLS` requests. */
async function startServer(): Promise<{ readonly home: string; readonly socket: string }> {
  const home = tempDir();
  const socket = join(home, "ao.sock");
  let served = 0;
  const server = createServer((_, response) => {
    served += 1;
    response.end(JSON.stringify({ cursor: String(served), over: served === POLLS }));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return { home, socket };
}

/** How many listeners are left on a signal that outlives its requests: each one is a leak, and Node warns at eleven. */
function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

it("leaves no listener on the signal after a request", async () => {
  const { socket } = await startServer();
  const { signal } = new AbortController();
  const most: number[] = [];
  for (let n = 0; n < POLLS; n += 1) {
    await exchange({ socket, method: "GET", path: "/", timeoutMs: 5000, signal });
    most.push(listenersOf(signal));
  }
  expect(Math.max(...most)).toBeLessThanOrEqual(1);
});

it("leaves no listener on the signal after a stream, or after a wait of many pages", async () => {
  const { home, socket } = await startServer();
  const { signal } = new AbortController();
  const most: number[] = [];
  const stream = await openStream({ socket, path: "/", timeoutMs: 5000, signal });
  for await (const chunk of stream) expect(String(chunk)).toContain("cursor");
  const paths = homePaths({ env: { AO_HOME: home }, userHome: home, uid: 0, cwd: "/" });
  const options = { cursor: "0", signal, pathOf: () => "/" };
  for await (const page of followPages<{ cursor: string; over: boolean }>({ paths }, options)) {
    most.push(listenersOf(signal));
    if (page.over) break;
  }
  expect([most.length, Math.max(...most) <= 2]).toEqual([POLLS - 1, true]);
});

it("ends a request at once whose signal has aborted", async () => {
  const { socket } = await startServer();
  const signal = AbortSignal.abort();
  await expect(exchange({ socket, method: "GET", path: "/", timeoutMs: 5000, signal })).rejects.toThrow();
});
