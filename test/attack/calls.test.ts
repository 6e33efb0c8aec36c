import { describe, expect, it } from "vitest";
import { createTokens, sessionToken } from "../../src/auth/tokens.ts";
import { CALLS } from "../../src/protocol/calls/all.ts";
import type { CallSpec, Described } from "../../src/protocol/calls/call.ts";
import { SOCKETS, STREAMS } from "../../src/protocol/calls/streams.ts";
import { TEXTS } from "../../src/protocol/calls/texts.ts";
import { aServer } from "../support/server.ts";

const TABLE: Readonly<Record<string, Described>> = { ...CALLS, ...STREAMS, ...TEXTS };
const CLOSED = Object.entries(TABLE).filter(([, { scope }]) => scope !== null);
const WRITES = CLOSED.filter(([call]) => !call.startsWith("GET "));

const READ_ONLY = `ao_${"4".repeat(48)}`;

/** A server that also knows a token with the scope read. */
function serverWithReader(): ReturnType<typeof aServer> {
  const stored: never[] = [];
  const tokens = createTokens({
    main: "ao_main",
    load: () => stored,
    save: (all) => void stored.push(...(all as never[])),
  });
  const made = tokens.create("reader", "read");
  const principalOf = (token: string) => tokens.principalOf(token === READ_ONLY ? made : token);
  return aServer({ tokens: { ...tokens, principalOf } });
}

function requestOf(call: string, headers: Readonly<Record<string, string>>): [string, RequestInit] {
  const [method = "", path = ""] = call.split(" ");
  const body = ["GET", "HEAD"].includes(method) ? {} : { body: "{}" };
  const filled = path
    .replace(":id", "demo-1")
    .replace(/:number/, "1")
    .replace(/:\w+/g, "x");
  return [filled, { method, ...body, headers }];
}

const names = (rows: readonly (readonly [string, Described])[]): readonly string[] => rows.map(([call]) => call);
const server = aServer();

describe("a caller without a token does not reach", () => {
  it.each(names(CLOSED))("%s", async (call) => {
    expect((await server.ask(...requestOf(call, {}))).status).toBe(401);
  });
});

describe("a caller with a made-up token does not reach", () => {
  it.each(names(CLOSED))("%s", async (call) => {
    const forged = `Bearer ${sessionToken("another", "demo-1")}`;
    expect((await server.ask(...requestOf(call, { authorization: forged }))).status).toBe(401);
  });
});

describe("the agent of another session does not reach", () => {
  it.each(names(CLOSED))("%s", async (call) => {
    const authorization = `Bearer ${sessionToken("ao_main", "demo-9")}`;
    const answer = await server.ask(...requestOf(call, { authorization }));
    // Calls that reveal nothing about a session are open to every agent, such as the description of the API.
    const isOpen = TABLE[call]?.own === true && !call.includes(":");
    expect(answer.status === 403, String(answer.status)).toBe(!isOpen);
  });
});

describe("an agent that names another session in its own address does not reach", () => {
  const OTHERS = [
    "demo-9/../demo-1",
    "demo-9%2f..%2fdemo-1",
    "demo-9%252f..%252fdemo-1",
    "./demo-1",
    "demo-1%00",
    "DEMO-1",
    "demo",
  ];
  const of = CLOSED.filter(([call, { own }]) => own === true && call.includes(":"));
  it.each(names(of))("%s", async (call) => {
    const authorization = `Bearer ${sessionToken("ao_main", "demo-9")}`;
    for (const other of OTHERS) {
      const [path, request] = requestOf(call, { authorization });
      const answer = await server.ask(path.replace("demo-1", other), request);
      expect([401, 403], other).toContain(answer.status);
    }
  });
});

describe("a page from another site, with the owner's token, does not reach", () => {
  it.each(names(CLOSED))("%s", async (call) => {
    const headers = { authorization: "Bearer ao_main", origin: "http://evil.example" };
    expect((await server.ask(...requestOf(call, headers))).status).toBe(403);
  });
});

describe("a token that may only read does not reach", () => {
  it.each(names(WRITES.filter(([, { scope }]) => scope !== "read")))("%s", async (call) => {
    const answer = await serverWithReader().ask(...requestOf(call, { authorization: `Bearer ${READ_ONLY}` }));
    expect(answer.status).toBe(403);
  });
});

describe("a form on another page, with the cookie of a signed-in browser, does not reach", () => {
  it.each(names(WRITES))("%s", async (call) => {
    const cookie = await server.logIn();
    expect((await server.ask(...requestOf(call, { cookie, "content-type": "text/plain" }))).status).toBe(403);
  });
});

describe("the socket in a session's sandbox answers nobody but that session", () => {
  const everything = Object.entries({ ...TABLE, ...SOCKETS });
  const ask = (call: string, headers: Readonly<Record<string, string>>) =>
    server.ask(...requestOf(call, headers), { session: "demo-1" });
  const own = `Bearer ${sessionToken("ao_main", "demo-1")}`;

  it.each(names(everything))("%s", async (call) => {
    const strangers = [
      {},
      { authorization: "Bearer ao_main" },
      { authorization: `Bearer ${sessionToken("ao_main", "demo-9")}` },
      { authorization: `Bearer ${sessionToken("another", "demo-1")}` },
      { cookie: await server.logIn() },
    ];
    for (const headers of strangers) expect((await ask(call, headers)).status, JSON.stringify(headers)).toBe(401);
    const answer = await ask(call, { authorization: own });
    const isOwn = everything.some(([name, { own: isIts }]) => name === call && isIts === true);
    expect(answer.status === 403, `${answer.status}`).toBe(!isOwn);
  });

  it.each(names(everything.filter(([call, { own: isIts }]) => isIts === true && call.includes(":id"))))(
    "%s of another session",
    async (call) => {
      const [path, init] = requestOf(call, { authorization: own });
      for (const id of ["demo-9", "demo", "demo-1%2f..%2fdemo-9", "Fix", "%64emo-9"]) {
        const asked = await server.ask(path.replace("demo-1", id), init, { session: "demo-1" });
        expect([403, 404], `${id}: ${asked.status}`).toContain(asked.status);
      }
    },
  );

  it.each([
    "/",
    "/metrics",
    "/assets/index-1.js",
    "/icon.svg",
    "/api",
    "/api/sessions/../sessions",
    "/sessions/demo-1",
  ])("%s", async (path) => {
    const asked = await server.ask(path, { headers: { authorization: own } }, { session: "demo-1" });
    expect(asked.status).toBe(403);
  });
});

/** Bodies that no call accepts. */
const JUNK = [
  ...["{", "[]", "null", "1", '"x"', "\u0000", '{"__proto__":{"isAdmin":true},"x":1}', '{"constructor":1}'],
  ...[`${"[".repeat(50_000)}${"]".repeat(50_000)}`, `{"x":${"9".repeat(10_000)}}`, '{"\\ud800":"\\udfff"}'],
];

describe("an invalid body is refused by", () => {
  const calls = Object.entries<CallSpec>(CALLS).filter(
    ([, { body, ifMatch }]) => body !== undefined && ifMatch !== true,
  );
  it.each(names(calls))("%s", async (call) => {
    for (const body of JUNK) {
      const [path, init] = requestOf(call, { authorization: "Bearer ao_main" });
      const { status } = await server.ask(path, { ...init, body });
      expect([status, body.slice(0, 40)]).toEqual([
        expect.toSatisfy((code: number) => code >= 400 && code < 500),
        body.slice(0, 40),
      ]);
    }
  });
});
