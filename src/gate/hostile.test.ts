import { type AddressInfo, connect, createServer, type Server } from "node:net";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFull } from "../testing/full.ts";
import { createProxy } from "./proxy.ts";

const numRuns = isFull ? 1000 : 40;
const GIVE_UP_MS = 5000;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface World {
  /** Sends raw bytes to the proxy and returns everything that comes back until it closes the connection. */
  say(text: string): Promise<string>;
  /** Does a listed host still answer? */
  isWell(): Promise<boolean>;
  readonly troubles: readonly string[];
}

/** A proxy, whose server at `bad.test` answers every request with these bytes. */
async function withServer(answer: string, then: "end" | "reset" | "wait" = "end"): Promise<World> {
  const bad = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => {
        socket.write(answer, "latin1", () => {
          if (then === "end") socket.end();
          if (then === "reset") socket.resetAndDestroy();
        });
      });
  });
  const good = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell"));
  });
  const ports: Readonly<Record<string, number>> = { "bad.test": await listen(bad), "good.test": await listen(good) };
  const troubles: string[] = [];
  const rules = { hosts: ["127.0.0.1"], onRefused: () => undefined };
  const { server } = createProxy({ ...rules, onTrouble: (text) => troubles.push(text) });
  const proxy = await listen(server);
  const say = (text: string): Promise<string> =>
    new Promise((done) => {
      let heard = "";
      const filled = text.replaceAll(/(bad|good)\.test/g, (name) => `127.0.0.1:${ports[name]}`);
      const socket = connect(proxy, "127.0.0.1", () => socket.write(filled, "latin1"));
      socket.setTimeout(GIVE_UP_MS, () => socket.destroy(new Error("it hangs")));
      socket.on("data", (chunk) => {
        heard += chunk.toString("latin1");
      });
      let failure = "";
      socket.on("error", (error) => {
        failure = error.message;
      });
      socket.on("close", () => done(failure === "it hangs" ? failure : heard));
    });
  const isWell = async (): Promise<boolean> => (await say(GET.replace("bad", "good"))).endsWith("well");
  return { say, isWell, troubles };
}

const GET = "GET http://bad.test/ HTTP/1.1\r\nhost: bad.test\r\n\r\n";
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

describe("a hostile server behind the proxy", () => {
  it.each([
    ["status 000", "HTTP/1.1 000 X\r\n\r\n"],
    ["status 99", "HTTP/1.1 099 X\r\n\r\n"],
    ["status 1000", "HTTP/1.1 1000 X\r\n\r\n"],
    ["no status", "HTTP/1.1\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH\r\n"],
    ["nothing", ""],
    ["an answer 101", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["headers that are too large", `HTTP/1.1 200 OK\r\n${"x: ".padEnd(1000, "y")}\r\n`.padEnd(100_000, "z")],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(50_000)}`],
    ["a line break in a header's name", "HTTP/1.1 200 OK\r\na\rb: c\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok"],
    ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: 2, 3\r\n\r\nok"],
    ["both framings", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  ])("that answers with %s gets a 502", async (_, answer) => {
    const world = await withServer(answer);
    expect(await world.say(GET)).toMatch(/^HTTP\/1\.1 502 /);
    expect(await world.isWell()).toBe(true);
    expect(world.troubles).toHaveLength(1);
    expect(world.troubles[0]).toContain("127.0.0.1");
  });

  it.each([
    ["announces a trailer without chunks", "HTTP/1.1 200 OK\r\ntrailer: a\r\ncontent-length: 2\r\n\r\nok", /ok$/],
    [
      "sends a control character",
      "HTTP/1.1 200 OK\r\na: b\u0001c\r\ncontent-length: 2\r\n\r\nok",
      /^HTTP\/1\.1 (200|502) /,
    ],
    [
      "sends a malformed chunk",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok\r\n",
      /^(HTTP\/1\.1 (200|502) |$)/,
    ],
    [
      "announces a chunk of 16 EiB",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffff0\r\nok\r\n",
      /^(HTTP\/1\.1 (200|502) |$)/,
    ],
    ["answers with status 999", "HTTP/1.1 999 X\r\ncontent-length: 2\r\n\r\nok", /^HTTP\/1\.1 (999|502) /],
    ["stops within its body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok", /^HTTP\/1\.1 200 /],
    ["hints first", `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}`, /ok$/],
    ["answers twice", `${OK}${OK}`, /ok$/],
  ])("that %s ends only that connection", async (_, answer, expected) => {
    const world = await withServer(answer);
    expect(await world.say(GET)).toMatch(expected);
    expect(await world.isWell()).toBe(true);
  });

  it("that resets the connection, before or within its answer, ends only that connection", async () => {
    for (const answer of ["", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok"]) {
      const world = await withServer(answer, "reset");
      expect(await world.say(GET)).toMatch(/^(HTTP\/1\.1 (200|502) |$)/);
      expect(await world.isWell()).toBe(true);
    }
  });

  it("never stops the proxy, whatever it answers", { timeout: 600_000 }, async () => {
    const piece = fc.constantFrom(...BITS);
    const answer = fc.array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: fc.string() }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(answer, fc.constantFrom("end" as const, "reset" as const), async (pieces, then) => {
        const world = await withServer(pieces.join(""), then);
        expect(await world.say(GET)).not.toBe("it hangs");
        expect(await world.isWell()).toBe(true);
      }),
      { numRuns },
    );
  });
});

describe("a hostile client of the proxy", () => {
  const chunked = "POST http://bad.test/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n";

  it.each([
    ["announces a trailer", "GET http://bad.test/ HTTP/1.1\r\nhost: x\r\ntrailer: a\r\n\r\n", /ok$/],
    ["sends a trailer", `${chunked}trailer: a\r\n\r\n2\r\nhi\r\n0\r\na: b\r\n\r\n`, /ok$/],
    [
      "waits for 100",
      "POST http://bad.test/ HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\nhi",
      /ok$/,
    ],
    [
      "wants to upgrade",
      "GET http://bad.test/ HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
      /ok$/,
    ],
    ["sends a malformed chunk", `${chunked}\r\nzz\r\nhi\r\n`, /^(HTTP\/1\.1 (400|502|200) |$)/],
    [
      "sends two lengths",
      "POST http://bad.test/ HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi",
      /^HTTP\/1\.1 400 /,
    ],
    ["puts a space before a colon", "GET http://bad.test/ HTTP/1.1\r\nhost : x\r\n\r\n", /^HTTP\/1\.1 400 /],
    [
      "hides a second request behind a line feed",
      "GET http://bad.test/ HTTP/1.1\r\nhost: x\r\na: b\n\nGET http://evil.example/ HTTP/1.1\r\nhost: x\r\n\r\n",
      /^HTTP\/1\.1 400 /,
    ],
    [
      "opens a tunnel and sends bytes that are no protocol",
      "CONNECT bad.test HTTP/1.1\r\n\r\n\u0000\u00ff\u0001",
      /ok$/,
    ],
    ["sends both framings", `${chunked}content-length: 2\r\n\r\n0\r\n\r\n`, /^HTTP\/1\.1 400 /],
    [
      "sends headers that are too large",
      `GET http://bad.test/ HTTP/1.1\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
      /^(HTTP\/1\.1 431 |$)/,
    ],
    ["speaks another protocol", "\u0016\u0003\u0001\u0002\u0000\u0001", /^HTTP\/1\.1 400 /],
    ["names a host that is no host", "GET http://[::1/ HTTP/1.1\r\nhost: x\r\n\r\n", /^HTTP\/1\.1 40[03] /],
    ["connects to a host that is no host", "CONNECT %:1 HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 40[03] /],
  ])("that %s is answered or refused, and the proxy goes on", async (_, request, expected) => {
    const world = await withServer(OK);
    expect(await world.say(request)).toMatch(expected);
    expect(await world.isWell()).toBe(true);
  });

  it("never stops the proxy, whatever it sends", { timeout: 600_000 }, async () => {
    const heads = fc.constantFrom(
      "GET http://bad.test/",
      "POST http://bad.test/",
      "CONNECT bad.test",
      "HEAD http://bad.test/",
      "",
    );
    const pieces = fc.array(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...BITS) }, { weight: 1, arbitrary: fc.string() }),
      { maxLength: 10 },
    );
    const world = await withServer(OK);
    await fc.assert(
      fc.asyncProperty(heads, pieces, async (head, rest) => {
        await world.say(`${head} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${rest.join("")}\r\n\r\n`);
        expect(await world.isWell()).toBe(true);
      }),
      { numRuns },
    );
  });
});

const BITS = [
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.0 200\r\n",
  "HTTP/1.1 000 X\r\n",
  "HTTP/1.1 099 X\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 101 X\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n",
  "HTTP/1.1 204 X\r\n",
  "HTTP/1.1 304 X\r\n",
  "HTTP/1.1 999 X\r\n",
  "trailer: a\r\n",
  "transfer-encoding: chunked\r\n",
  "transfer-encoding: gzip\r\n",
  "content-length: 3\r\n",
  "content-length: -1\r\n",
  "content-length: 99999999999999999999\r\n",
  "connection: close, x, trailer\r\n",
  "keep-alive: timeout=0\r\n",
  "upgrade: x\r\n",
  "expect: y\r\n",
  "a\u0000: b\r\n",
  "a: b\u0001\r\n",
  "a: \u00ff\r\n",
  " folded: x\r\n",
  ": empty\r\n",
  "\r\n",
  "3\r\nabc\r\n",
  "fffffffffffffffff\r\n",
  "0\r\na: b\r\n\r\n",
  "0\r\n\r\n",
];
