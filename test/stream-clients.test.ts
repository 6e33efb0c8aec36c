import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { type Listening, listenOnSocket } from "../src/app/listen.ts";
import { parseEvents, type ServerMessage } from "../src/cli/client/event-stream.ts";
import type { HomePaths } from "../src/protocol/home.ts";
import type { Actions } from "../src/server/actions.ts";
import type { AppEnv } from "../src/server/app.ts";
import { addLiveRoute } from "../src/server/live/live-route.ts";
import { addEventRoutes } from "../src/server/routes/events.ts";
import { PATIENCE_MS } from "../src/testing/patience.ts";
import { tempDir } from "../src/testing/temp.ts";
import { openLiveFleet } from "./support/live-fleet.ts";
import { until } from "./support/until.ts";

const CLIENTS = 200;
const MB = 1024 * 1024;
const closers: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Both streams of a fleet without an engine, on a real socket. */
async function serveStreams(sessions: number) {
  const fleet = openLiveFleet(sessions);
  const app = new Hono<AppEnv>();
  addLiveRoute(app, fleet.newHub());
  addEventRoutes(app, fleet.sources as unknown as Actions);
  const socket = join(tempDir(), "ao.sock");
  const paths = { socket, socketFolder: null } as HomePaths;
  const door: Listening = await listenOnSocket({ fetch: (asked) => app.fetch(asked) }, paths);
  closers.push(door.close);
  const connect = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: socket, path, agent: false }, resolve);
      outgoing.on("error", reject);
      outgoing.end();
      closers.push(() => void outgoing.destroy());
    });
  return { fleet, connect };
}

/** Reads a stream as fast as it arrives. */
function readAll(response: IncomingMessage): readonly ServerMessage[] {
  const received: ServerMessage[] = [];
  const read = async (): Promise<void> => {
    for await (const message of parseEvents(response)) received.push(message);
  };
  // The connection ends with the test.
  read().catch(() => undefined);
  return received;
}

function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const notesOf = (messages: readonly ServerMessage[]): readonly string[] =>
  messages.flatMap(({ event, data }) => (event === "session" ? [(data as { activity: string }).activity] : []));

describe(`${CLIENTS} clients of a stream`, () => {
  it("each get every event of the log once and in order", async () => {
    const { fleet, connect } = await serveStreams(4);
    const opened = Array.from({ length: CLIENTS }, () => connect("/api/events?internal=true"));
    const clients = (await Promise.all(opened)).map(readAll);
    for (let n = 0; n < 40; n += 1) fleet.say(`s${n % 4}`, `step ${n}`);
    const positions = Array.from({ length: fleet.last() }, (_, n) => String(n + 1));
    await until("every client to have the last event", () =>
      clients.every((received) => received.at(-1)?.id === positions.at(-1)),
    );
    for (const received of clients) expect(received.map(({ id }) => id)).toEqual(positions);
  });

  it("all see the same views in the same order, none twice, and end with the newest", async () => {
    const { fleet, connect } = await serveStreams(1);
    const opened = Array.from({ length: CLIENTS }, () => connect("/api/live"));
    const clients = (await Promise.all(opened)).map(readAll);
    await until("every client to have joined", () => clients.every((received) => received.length > 0));
    for (let n = 0; n < 20; n += 1) {
      fleet.say("s0", `step ${n}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until("every client to have the newest view", () =>
      clients.every((received) => notesOf(received).at(-1) === "step 19"),
    );
    const seen = notesOf(clients[0] ?? []);
    const steps = seen.map((text) => Number(text.slice("step ".length)));
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    for (const received of clients) expect(notesOf(received)).toEqual(seen);
  });
});

describe("clients that keep up", () => {
  it("use no more memory the longer they are connected", async () => {
    const { fleet, connect } = await serveStreams(1);
    const clients = await Promise.all(Array.from({ length: 100 }, () => connect("/api/events")));
    const ends = clients.map(() => "");
    for (const [n, client] of clients.entries()) {
      client.on("data", (chunk: Buffer) => {
        ends[n] = `${ends[n]}${chunk}`.slice(-2000);
      });
    }
    const write = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n += 1) {
        fleet.say("s0", `step ${n}`);
        // One at a time: a full buffer would start afresh.
        const hasIt = (): boolean => ends.every((end) => end.includes(`id: ${fleet.last()}\n`));
        await until("every client to have it", hasIt, PATIENCE_MS, 1);
      }
      return usedMemory();
    };
    const before = await write(50);
    // A hundred bytes kept for each message to each of them would be 2 MB.
    expect(((await write(200)) - before) / MB).toBeLessThan(1);
  });
});

describe("clients that never read", () => {
  const STUCK = 50;
  const BIG = "x".repeat(50_000);

  it("use no more memory as the log grows, and get all of it when they finally read", async () => {
    const { fleet, connect } = await serveStreams(2);
    const stuck = await Promise.all(Array.from({ length: STUCK }, () => connect("/api/events")));
    const reader = readAll(await connect("/api/events"));
    const write = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n += 1) fleet.say(`s${n % 2}`, `${n} ${BIG}`);
      await until("the reader to have it all", () => reader.at(-1)?.id === String(fleet.last()));
      return usedMemory();
    };
    const before = await write(20);
    // For each of them another 2 MB, which would be 100 MB.
    expect(((await write(40)) - before) / MB).toBeLessThan(20);
    const late = readAll(stuck[0] as IncomingMessage);
    await until("the late one to have it all", () => late.at(-1)?.id === String(fleet.last()));
    expect(late.map(({ id }) => id)).toEqual(reader.map(({ id }) => id));
  });

  it("get only the newest views when they finally read, however many there were", async () => {
    const { fleet, connect } = await serveStreams(2);
    const stuck = await Promise.all(Array.from({ length: STUCK }, () => connect("/api/live")));
    const reader = readAll(await connect("/api/live"));
    await until("the reader to have joined", () => reader.length > 0);
    for (let n = 0; n < 100; n += 1) {
      fleet.say(`s${n % 2}`, `${n} ${BIG}`);
      const isThere = (): boolean => notesOf(reader).at(-1)?.startsWith(`${n} `) === true;
      await until("the reader to have this view", isThere, PATIENCE_MS, 6);
    }
    const late = stuck.slice(0, 3).map(readAll);
    await until("the late ones to be up to date", () =>
      late.every((received) => notesOf(received).at(-1)?.startsWith("99 ")),
    );
    for (const received of late) {
      const notes = notesOf(received);
      expect(notes.some((text) => text.startsWith("98 "))).toBe(true);
      // What fits into the buffers of the connection, then the newest two.
      expect(notes.length).toBeLessThan(20);
      expect(notes).toEqual([...new Set(notes)]);
    }
  });
});
