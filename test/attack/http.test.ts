import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Listening, listenOnPort } from "../../src/app/listen.ts";
import { sessionToken } from "../../src/auth/tokens.ts";
import { aServer, DETAILS } from "../support/server.ts";

const open: Listening[] = [];

afterEach(async () => {
  for (const door of open.splice(0)) await door.close();
});

/** A server on a real port, and requests as bytes. */
async function onPort(requestMs?: number): Promise<(text: string) => Promise<string>> {
  const { handle, sockets } = aServer();
  const options = { host: "127.0.0.1", port: 0, ...(requestMs === undefined ? {} : { requestMs }) };
  const door = await listenOnPort({ fetch: handle, upgrade: sockets.upgrade }, options);
  open.push(door, { port: null, close: async () => sockets.close() });
  return (text) =>
    new Promise((resolve, reject) => {
      const socket = connect(door.port ?? 0, "127.0.0.1");
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
      });
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
      socket.write(text);
    });
}

function statusLine(answer: string): string {
  return answer.split("\r\n")[0] ?? "";
}

const TOKEN = { authorization: "Bearer ao_main" };

describe("another web page", () => {
  it.each([
    ["a foreign host name", { host: "evil.example" }],
    ["a foreign host name with the right port", { host: "evil.example:3000" }],
    ["a host name that begins alike", { host: "localhost.evil.example:3000" }],
    ["a foreign origin", { origin: "http://evil.example" }],
    ["a foreign origin over TLS", { origin: "https://evil.example:3000" }],
    ["another port of this machine", { origin: "http://localhost:4000" }],
    ["an opaque origin", { origin: "null" }],
    ["an origin that is no address", { origin: "localhost:3000" }],
  ])("is refused with %s, even with the token", async (_name, headers) => {
    const answer = await aServer().ask("/api/sessions", { headers: { ...TOKEN, ...headers } });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "forbidden" }]);
  });

  it("is refused when the request line and the header name different hosts", async () => {
    const send = await onPort();
    const rest = "Host: localhost\r\nAuthorization: Bearer ao_main\r\nConnection: close\r\n\r\n";
    expect(statusLine(await send(`GET http://evil.example/api/sessions HTTP/1.1\r\n${rest}`))).toContain("403");
    expect(statusLine(await send(`GET http://localhost/api/sessions HTTP/1.1\r\n${rest}`))).toContain("200");
    expect(statusLine(await send(`GET /api/sessions HTTP/1.1\r\n${rest}`))).toContain("200");
  });

  it("cannot post text like a form, with the cookie of a signed-in browser", async () => {
    const { ask, logIn, moves } = aServer();
    const cookie = await logIn();
    const body = JSON.stringify({ runtime: "tmux" });
    for (const origin of ["http://evil.example", "http://localhost:4000", undefined]) {
      const headers = { cookie, "content-type": "text/plain", ...(origin === undefined ? {} : { origin }) };
      const answer = await ask("/api/sessions/demo-1/runtime", { method: "POST", body, headers });
      expect(answer.status).toBe(403);
    }
    expect(moves).toEqual([]);
  });

  const upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const path = "/api/sessions/demo-1/terminal";

  it.each([
    [
      "from its own origin",
      path,
      "Host: localhost\r\nOrigin: http://evil.example\r\nAuthorization: Bearer ao_main\r\n",
    ],
    ["under another name of this machine", path, "Host: evil.example\r\nAuthorization: Bearer ao_main\r\n"],
    ["with a whole address", `http://evil.example${path}`, "Host: localhost\r\nAuthorization: Bearer ao_main\r\n"],
    ["without signing in", path, "Host: localhost\r\nOrigin: http://localhost\r\n"],
    [
      "with another session's token",
      path,
      `Host: localhost\r\nAuthorization: Bearer ${sessionToken("ao_main", "other")}\r\n`,
    ],
  ])("cannot open a WebSocket %s", async (_, target, names) => {
    const send = await onPort();
    const answer = await send(`GET ${target} HTTP/1.1\r\n${names}${upgrade}\r\n`);
    expect(statusLine(answer)).toMatch(/ 40[134] /);
    expect(answer).not.toContain("Sec-WebSocket-Accept");
  });

  it("cannot open a WebSocket with only a browser's cookie", async () => {
    const { sockets, logIn } = aServer();
    const cookie = await logIn();
    let answer = "";
    const socket = { on: () => socket, end: (text: string) => (answer = text) } as never;
    const headers = { host: "localhost:3000", cookie, upgrade: "websocket" };
    sockets.upgrade({ url: path, headers } as never, socket, { head: Buffer.alloc(0), transport: "tcp" });
    expect(statusLine(answer)).toContain("403");
  });

  it("can neither frame an answer nor load it as its own", async () => {
    const { ask, logIn } = aServer();
    const cookie = await logIn();
    for (const path of ["/", "/s/demo-1", "/api/sessions"]) {
      const { headers } = await ask(path, { headers: { cookie } });
      expect([headers.get("x-frame-options"), headers.get("cross-origin-resource-policy")]).toEqual([
        "DENY",
        "same-origin",
      ]);
    }
    const policy = (await ask("/", { headers: { cookie } })).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });
});

describe("a proxy", () => {
  const server = () => aServer({ allowedHosts: () => ["localhost", "ao.example"], trustedProxies: ["10.0.0.0/8"] });
  const forwarded = { "x-forwarded-host": "ao.example", "x-forwarded-proto": "https" };
  const signIn = async (address: string): Promise<Response> => {
    const { handle, newLink } = server();
    const headers = { host: "localhost:3000", ...forwarded };
    return handle(new Request(`http://localhost:3000${await newLink()}`, { headers }), "tcp", {
      address,
      isTls: false,
    });
  };

  it("that is listed sets its clients' host, origin and an HTTPS-only cookie", async () => {
    expect((await signIn("10.1.2.3")).headers.get("set-cookie")).toMatch(/^ao_80=.*; Secure/);
    const headers = { ...TOKEN, ...forwarded, host: "upstream:3000", origin: "https://ao.example" };
    const request = new Request("http://upstream:3000/api/sessions", { headers });
    const answer = await server().handle(request, "tcp", { address: "10.1.2.3", isTls: false });
    expect(answer.status).toBe(200);
  });

  it("that is not listed is not trusted", async () => {
    expect((await signIn("192.0.2.1")).headers.get("set-cookie")).not.toContain("Secure");
    const headers = { ...TOKEN, host: "evil.example", "x-forwarded-host": "ao.example" };
    const request = new Request("http://evil.example/api/sessions", { headers });
    const answer = await server().handle(request, "tcp", { address: "192.0.2.1", isTls: false });
    expect(answer.status).toBe(403);
  });

  it("that is listed does not help a page from another site", async () => {
    const headers = { ...TOKEN, ...forwarded, host: "localhost:3000", origin: "https://evil.example" };
    const request = new Request("http://localhost:3000/api/sessions", { headers });
    const answer = await server().handle(request, "tcp", { address: "10.1.2.3", isTls: false });
    expect(answer.status).toBe(403);
  });
});

describe("a connection over TLS", () => {
  it("uses the configured certificate and gets an HTTPS-only cookie", async () => {
    const pem = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), "utf8");
    const { handle, newLink } = aServer();
    const tls = { cert: pem("cert"), key: pem("key") };
    const door = await listenOnPort({ fetch: handle }, { host: "127.0.0.1", port: 0, tls });
    open.push(door);
    const path = await newLink();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: "localhost", port: door.port, path, ca: tls.cert }, resolve).on("error", reject);
    });
    answer.resume();
    expect([answer.statusCode, answer.headers["set-cookie"]?.[0]]).toEqual([303, expect.stringContaining("Secure")]);
  });
});

describe("a path that leads out of the dashboard's folder", () => {
  it.each([
    "/assets/../../package.json",
    "/assets/..%2f..%2fpackage.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/..%5c..%5cpackage.json",
    "//etc/passwd",
    "/assets/index-1.js/../../../etc/passwd",
    "/assets/index-1.js%00.css",
  ])("gives no file: %s", async (path) => {
    const send = await onPort();
    const answer = await send(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ao_main\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).not.toContain("agent");
    expect(answer).not.toContain("root:");
    expect(answer).not.toContain("code");
  });
});

describe("the state of the daemon", () => {
  it("tells nobody without a token what is in its troubles, nor an agent", async () => {
    const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });
    const { ask } = aServer();
    for (const request of [{}, bearer("ao_guess"), bearer(sessionToken("ao_main", "demo-1"))]) {
      const text = await (await ask("/healthz", request)).text();
      expect(JSON.parse(text)).toMatchObject({ ok: true, pid: 1, version: "1" });
      expect(text).not.toMatch(/home|demo-1/);
    }
    expect(await (await ask("/healthz", bearer("ao_main"))).json()).toMatchObject(DETAILS);
    expect(await (await ask("/healthz", {}, "socket")).json()).toMatchObject(DETAILS);
  });
});

describe("a session's token", () => {
  const authorization = `Bearer ${sessionToken("ao_main", "demo-1")}`;

  it.each([
    ["GET", "/api/sessions"],
    ["GET", "/api/sessions/demo-2"],
    ["GET", "/api/sessions/demo"],
    ["GET", "/api/sessions/demo-2%2f..%2fdemo-1"],
    ["GET", "/api/sessions/demo-2/../demo-2/diff"],
    ["POST", "/api/sessions/demo-1/message"],
    ["POST", "/api/sessions/demo-1/merge"],
    ["POST", "/api/sessions/demo-2/pull-request"],
    ["DELETE", "/api/sessions/demo-1"],
    ["GET", "/api/events"],
    ["GET", "/api/live"],
    ["GET", "/api/nothing"],
    ["GET", "/"],
  ])("does not reach %s %s", async (method, path) => {
    expect((await aServer().ask(path, { method, headers: { authorization } })).status).toBe(403);
  });

  it("of one session does not become another's by swapping the name", async () => {
    const forged = authorization.replace("demo-1", "demo-2");
    const answer = await aServer().ask("/api/sessions/demo-2", { headers: { authorization: forged } });
    expect(answer.status).toBe(401);
  });
});

describe("a link", () => {
  it("that was used or has expired signs nobody in", async () => {
    const { ask, newLink, clock } = aServer();
    const [used, old] = [await newLink(), await newLink()];
    expect((await ask(used)).status).toBe(303);
    expect([(await ask(used)).status, (await ask(used)).headers.get("set-cookie")]).toEqual([401, null]);
    clock.set(5 * 60_000);
    expect([(await ask(old)).status, (await ask(old)).headers.get("set-cookie")]).toEqual([401, null]);
  });

  it("cannot be guessed: after 20 wrong ones in a minute, none is accepted for the rest of that minute", async () => {
    const { ask, newLink, clock } = aServer();
    const link = await newLink();
    for (let n = 0; n < 20; n += 1) expect((await ask(`/?link=${n}`)).status).toBe(401);
    expect((await ask("/?link=20")).status).toBe(429);
    expect((await ask(link)).status).toBe(429);
    clock.set(60_001);
    expect((await ask(link)).status).toBe(303);
  });

  it("still works after other sites made the browser try wrong ones", async () => {
    const { ask, newLink } = aServer();
    const link = await newLink();
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "sec-fetch-site": site };
      const tries = Array.from({ length: 25 }, (_, n) => ask(`/?link=${n}`, { headers }));
      expect((await Promise.all(tries)).at(-1)?.status).toBe(429);
    }
    expect((await ask(link, { headers: { "sec-fetch-site": "none" } })).status).toBe(303);
  });

  it("for a demo signs browsers in until the daemon stops", async () => {
    const { ask, newLink, clock } = aServer();
    const link = await newLink({ lasting: true });
    expect((await ask(link)).status).toBe(303);
    clock.set(3 * 60 * 60_000);
    expect((await ask(link)).status).toBe(303);
  });
});

describe("an oversized request", () => {
  it("is refused if its body is larger than 8 MiB, declared or not", async () => {
    const { ask } = aServer();
    const body = "x".repeat(8 * 1024 * 1024 + 1);
    const answer = await ask("/api/sessions/demo-1/message", { method: "POST", body, headers: TOKEN });
    expect(answer.status).toBe(413);
    const streamed = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    });
    const init = { method: "POST", body: streamed, headers: TOKEN, duplex: "half" } as RequestInit;
    expect((await ask("/api/sessions/demo-1/message", init)).status).toBe(413);
  });

  it("is cut off if it arrives too slowly", async () => {
    const send = await onPort(200);
    const answer = await send("POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Le");
    expect(statusLine(answer)).toContain("408");
  });

  it("is refused if its headers are larger than 16 KiB", async () => {
    const send = await onPort();
    const answer = await send(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(32_768)}\r\n\r\n`);
    expect(statusLine(answer)).toContain("431");
  });
});
