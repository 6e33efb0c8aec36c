import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProxy } from "./proxy.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface World {
  readonly refused: string[];
  /** The port of the local server. */
  readonly port: number;
  /** The only hosts that are allowed now; null: all listed ones. */
  only: readonly string[] | null;
  /** Sends raw bytes to the proxy and returns the whole response. */
  say(text: string): Promise<string>;
  /** A tunnel to the local server by this name; resolves once it is open. */
  dig(host: string): Promise<Tunnel>;
  enforce(): void;
  /** Runs while a name is being resolved. */
  whileResolving: () => void;
}

interface Tunnel {
  /** Sends a request through it and returns the body of the answer. */
  ask(path: string): Promise<string>;
  readonly closed: Promise<void>;
  isOpen(): boolean;
}

/** A proxy, and a server that echoes each request. */
async function open(
  hosts: readonly string[],
  names: Readonly<Record<string, string>> = {},
  ownAddresses: () => readonly string[] = () => [],
): Promise<World> {
  const refused: string[] = [];
  const target = createServer((request: IncomingMessage, response) => {
    response.setHeader("connection", "close").end(`asked ${request.url} of ${request.headers.host}`);
  });
  const port = await listen(target);
  const resolve = async (host: string): Promise<readonly string[]> => {
    world.whileResolving();
    return [names[host] ?? host];
  };
  const onlyHosts = (): readonly string[] | null => world.only;
  const { server, enforce } = createProxy({
    ...{ hosts, onlyHosts, resolve, ownAddresses },
    onRefused: (host) => refused.push(host),
  });
  const proxy = await listen(server);
  const say = (text: string): Promise<string> =>
    new Promise((done) => {
      let heard = "";
      const socket = connect(proxy, "127.0.0.1", () => socket.write(text));
      socket.on("data", (chunk) => {
        heard += chunk.toString();
      });
      socket.on("error", () => undefined).on("close", () => done(heard));
    });
  const dig = (host: string): Promise<Tunnel> => digTo(proxy, `${host}:${port}`);
  const world: World = { refused, port, only: null, say, dig, enforce, whileResolving: () => undefined };
  return world;
}

async function digTo(proxy: number, authority: string): Promise<Tunnel> {
  const socket = connect(proxy, "127.0.0.1", () => socket.write(`CONNECT ${authority} HTTP/1.1\r\n\r\n`));
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  const heard = (): Promise<string> => new Promise((done) => socket.once("data", (chunk) => done(chunk.toString())));
  const opened = heard();
  expect(await opened).toMatch(/^HTTP\/1.1 200 /);
  return {
    ask: (path) => {
      const answer = heard();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: h\r\n\r\n`);
      return answer;
    },
    closed,
    isOpen: () => !socket.destroyed,
  };
}

describe("the proxy of a sandbox", () => {
  it("tunnels to a listed host by CONNECT, with the bytes that came along", async () => {
    const { port, say } = await open(["127.0.0.1"]);
    const heard = await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nGET /inner HTTP/1.1\r\nhost: h\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\n/);
    expect(heard).toContain("asked /inner of h");
  });

  it("fetches a plain URL of a listed host, with the Host header of that URL", async () => {
    const { port, say } = await open(["127.0.0.1"]);
    const heard = await say(`GET http://127.0.0.1:${port}/a?b HTTP/1.1\r\nhost: evil.example\r\n\r\n`);
    expect(heard).toContain(`asked /a?b of 127.0.0.1:${port}`);
  });

  it("refuses every other host, with the host and reason, and reports it", async () => {
    const { refused, say } = await open(["github.com"]);
    for (const request of ["CONNECT evil.example:443", "GET http://evil.example/x"]) {
      const heard = await say(`${request} HTTP/1.1\r\nhost: github.com\r\n\r\n`);
      expect(heard).toMatch(/^HTTP\/1.1 403 /);
      expect(heard).toContain("ao: evil.example is not in the sandbox's list of hosts");
    }
    expect(refused).toEqual(["evil.example", "evil.example"]);
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "localhost",
    "localhost.",
    "github.com.evil.example",
    "github.com%00.evil.example",
    "140.82.112.3",
  ])("is not fooled by the host %s", async (host) => {
    const { port, say } = await open(["github.com"], { "github.com": "140.82.112.3" });
    expect(await say(`CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /);
    expect(await say(`GET http://${host}:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[03] /);
  });

  it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "169.254.169.254", "fe80::1"])(
    "does not follow a listed name that resolves to %s",
    async (address) => {
      const { port, refused, say } = await open(["rebound.example"], { "rebound.example": address });
      expect(await say(`CONNECT rebound.example:${port} HTTP/1.1\r\n\r\n`)).toContain("resolves to this machine");
      expect(refused).toEqual(["rebound.example"]);
    },
  );

  it("does not follow a listed name to an address of an interface, whenever it got that, unless the address is listed", async () => {
    const own: string[] = [];
    const names = { "rebound.example": "192.0.2.7" };
    const { refused, say } = await open(["rebound.example"], names, () => own);
    own.push("192.0.2.7");
    expect(await say("CONNECT rebound.example:9 HTTP/1.1\r\n\r\n")).toContain("resolves to this machine");
    expect(refused).toEqual(["rebound.example"]);
    const allowed = await open(["rebound.example", "127.0.0.1"], { "rebound.example": "127.0.0.1" });
    expect(
      await allowed.say(`CONNECT rebound.example:${allowed.port} HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n`),
    ).toMatch(/ 200 /);
  });

  it.each(["10.0.0.9", "172.20.0.2", "192.168.7.7", "100.70.1.1", "fd12::7"])(
    "does not follow a wildcard to %s, but the name itself",
    async (address) => {
      const wild = await open(["*.corp.example"], { "a.corp.example": address });
      expect(await wild.say("CONNECT a.corp.example:9 HTTP/1.1\r\n\r\n")).toContain(`private address (${address})`);
      expect(wild.refused).toEqual(["a.corp.example"]);
      const named = await open(["a.corp.example"], { "a.corp.example": "127.0.0.1" }, () => []);
      expect(await named.say("CONNECT a.corp.example:9 HTTP/1.1\r\n\r\n")).not.toContain("private");
    },
  );

  it.each([
    "github.com",
    ":443",
    "github.com:0",
    "github.com:99999",
    "me@github.com:443",
    "/etc/passwd",
    "github.com:443/x",
  ])("refuses CONNECT %s, which is not a host and port", async (target) => {
    const { say } = await open(["github.com"]);
    expect(await say(`CONNECT ${target} HTTP/1.1\r\n\r\n`)).toMatch(/^(HTTP\/1.1 403 |$)/);
  });

  it.each([
    "GET / HTTP/1.1\r\nhost: github.com\r\n\r\n",
    "GET file:///etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n",
    "nonsense\r\n\r\n",
  ])("rejects a request that is not a proxy request: %j", async (request) => {
    const { say } = await open(["github.com"]);
    expect(await say(request)).not.toMatch(/^HTTP\/1.1 2/);
  });
});

describe("the proxy of a sandbox whose session has read untrusted text", () => {
  it("closes open tunnels to the hosts that were taken, and keeps the others", async () => {
    const world = await open(["127.0.0.1", "localhost"], { localhost: "127.0.0.1" });
    const [taken, kept] = [await world.dig("localhost"), await world.dig("127.0.0.1")];
    world.only = ["127.0.0.1"];
    world.enforce();
    await taken.closed;
    expect(kept.isOpen()).toBe(true);
    expect(await kept.ask("/still")).toContain("asked /still of h");
  });

  it("refuses new connections to them at once, says why and reports it", async () => {
    const world = await open(["127.0.0.1", "localhost"], { localhost: "127.0.0.1" });
    world.only = ["127.0.0.1"];
    const text = "localhost is not reachable any more, because this session has read untrusted text (trust.network)";
    expect(await world.say(`CONNECT localhost:${world.port} HTTP/1.1\r\n\r\n`)).toContain(text);
    expect(await world.say(`GET http://localhost:${world.port}/ HTTP/1.1\r\nhost: x\r\n\r\n`)).toContain(text);
    expect(world.refused).toEqual(["localhost", "localhost"]);
    const answer = await world.say(`GET http://127.0.0.1:${world.port}/on HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(answer).toContain("asked /on");
  });

  it("refuses a connection whose host is taken while it is being resolved", async () => {
    const world = await open(["127.0.0.1", "localhost"], { localhost: "127.0.0.1" });
    world.whileResolving = () => {
      world.only = ["127.0.0.1"];
    };
    const answer = await world.say(`CONNECT localhost:${world.port} HTTP/1.1\r\n\r\n`);
    expect(answer).toContain("403 Forbidden");
  });

  it("never allows a host that the sandbox does not list", async () => {
    const world = await open(["127.0.0.1"]);
    world.only = ["localhost", "evil.example"];
    expect(await world.say("CONNECT evil.example:443 HTTP/1.1\r\n\r\n")).toContain("is not in the sandbox's list");
    expect(await world.say(`CONNECT 127.0.0.1:${world.port} HTTP/1.1\r\n\r\n`)).toContain("403 Forbidden");
  });

  it("allows everything that is listed again once the restriction is lifted", async () => {
    const world = await open(["127.0.0.1"]);
    world.only = [];
    expect(await world.say(`CONNECT 127.0.0.1:${world.port} HTTP/1.1\r\n\r\n`)).toContain("403 Forbidden");
    world.only = null;
    expect((await world.dig("127.0.0.1")).isOpen()).toBe(true);
  });
});
