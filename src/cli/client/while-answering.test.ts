import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { homePaths } from "../../protocol/home.ts";
import { tempDir } from "../../testing/temp.ts";
import { isSilent, whileAnswering } from "./while-answering.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("stops probing once the answer is there, even during a probe: otherwise the command could not end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const home = tempDir();
  const paths = homePaths({ env: { AO_HOME: home }, userHome: home, uid: 0, cwd: "/" });
  const looks: Promise<void>[] = [];
  const sockets: Socket[] = [];
  let isLooking = (): void => undefined;
  const looked = new Promise<void>((resolve) => {
    isLooking = resolve;
  });
  // It is being probed, and has not answered yet.
  const server = createServer((socket) => {
    sockets.push(socket);
    looks.push(new Promise((resolve) => socket.on("close", () => resolve())));
    socket.on("error", () => undefined).once("data", () => isLooking());
  });
  await new Promise<void>((done) => server.listen(join(home, "ao.sock"), done));
  onTestFinished(() => void server.close());
  let give = (_: string): void => undefined;
  const answer = new Promise<string>((resolve) => {
    give = resolve;
  });
  const waiting = whileAnswering(paths, () => answer);
  await vi.advanceTimersByTimeAsync(2000);
  await looked;
  give("done");
  expect(await waiting).toBe("done");
  for (const socket of sockets) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
  await Promise.all(looks);
  expect([looks.length, vi.getTimerCount()]).toEqual([1, 0]);
});

it("waits for a daemon that is silent for seconds but not suspended: the machine is busy", async () => {
  const home = tempDir();
  const paths = homePaths({ env: { AO_HOME: home }, userHome: home, uid: 0, cwd: "/" });
  // This process acts as the daemon: it is running.
  writeFileSync(paths.daemon, JSON.stringify({ pid: process.pid }));
  let probes = 0;
  const server = createServer((socket) => {
    probes += 1;
    const isFirst = probes === 1;
    socket
      .on("error", () => undefined)
      .once("data", () => {
        if (!isFirst) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
      });
  });
  await new Promise<void>((done) => server.listen(paths.socket, done));
  onTestFinished(() => void server.close());
  expect(await isSilent(paths, { answerMs: [20, 60_000] })).toBe(false);
  expect(probes).toBe(2);
});
