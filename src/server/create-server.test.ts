import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aServer } from "../../test/support/server.ts";
import { sessionToken } from "../auth/tokens.ts";

describe("a browser", () => {
  it("that is not signed in gets the page, which says so, and no data", async () => {
    const { ask } = aServer();
    const answer = await ask("/");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(await answer.text()).toBe("<!doctype html>");
    expect((await ask("/api/sessions")).status).toBe(401);
  });

  it("signs in with a link, once, with a cookie that no script and no other site gets", async () => {
    const { ask, newLink } = aServer();
    const link = await newLink();
    const answer = await ask(link);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/");
    expect(answer.headers.get("set-cookie")).toMatch(
      /^ao_3000=[0-9a-f]{48}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const again = await ask(link);
    expect(again.status).toBe(401);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  it("does not sign in with an expired link", async () => {
    const { ask, newLink, clock } = aServer();
    const link = await newLink();
    clock.set(5 * 60_000);
    expect((await ask(link)).status).toBe(401);
  });

  it("that is signed in may open an old link again", async () => {
    const { ask, newLink } = aServer();
    const link = await newLink();
    const cookie = (await ask(link)).headers.get("set-cookie")?.split(";")[0] ?? "";
    const again = await ask(link, { headers: { cookie } });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/"]);
  });

  it("opens the session that the link is for", async () => {
    const { ask, newLink } = aServer();
    expect((await ask(await newLink({ session: "demo" }))).headers.get("location")).toBe("/s/demo-1");
  });

  it("reads pages and the API with its cookie", async () => {
    const { ask, logIn } = aServer();
    const cookie = await logIn();
    expect((await ask("/", { headers: { cookie } })).status).toBe(200);
    expect((await ask("/api/sessions", { headers: { cookie } })).status).toBe(200);
    expect((await ask("/api/sessions", { headers: { cookie: cookie.replace("3000", "4000") } })).status).toBe(401);
  });

  it.each([
    ["another site", { origin: "http://evil.example" }, 403],
    ["another port", { origin: "http://localhost:4000" }, 403],
    ["nobody knows where", {}, 403],
    ["its own page", { origin: "http://localhost:3000" }, 201],
  ])("writes with its cookie from %s: %o gives %i", async (_name, headers, status) => {
    const { ask, logIn } = aServer();
    const cookie = await logIn();
    const answer = await ask("/api/link", { method: "POST", body: "{}", headers: { cookie, ...headers } });
    expect(answer.status).toBe(status);
  });
});

describe("the dashboard", () => {
  it.each(["/", "/s/demo-1", "/p/demo/pr/1", "/inbox"])(
    "is the same file at %s, and may only load from here",
    async (path) => {
      const { ask, logIn } = aServer();
      const answer = await ask(path, { headers: { cookie: await logIn() } });
      expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html>"]);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
    },
  );

  it("gets its files without signing in, cached forever, and compressed if the browser supports it", async () => {
    const { ask } = aServer();
    const plain = await ask("/assets/index-1.js");
    expect([plain.status, await plain.text()]).toEqual([200, "code"]);
    expect(plain.headers.get("cache-control")).toContain("immutable");
    const zipped = await ask("/assets/index-1.js", { headers: { "accept-encoding": "br, gzip" } });
    expect([zipped.headers.get("content-encoding"), await zipped.text()]).toEqual(["gzip", "zipped code"]);
  });

  it("is also available at the path of older links", async () => {
    const { ask, logIn } = aServer();
    const answer = await ask("/sessions/demo-1", { headers: { cookie: await logIn() } });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "/s/demo-1"]);
  });

  it("at a foreign host name is refused in plain text", async () => {
    const answer = await aServer().ask("/", { headers: { host: "evil.example" } });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('The host name "evil.example" is not allowed.');
  });
});

it("a session's token, or no token, cannot create a link", async () => {
  const { ask } = aServer();
  expect((await ask("/api/link", { method: "POST", body: "{}" })).status).toBe(401);
});

it("an interrupt uses the caller's key, and ignores its body", async () => {
  const ask = (body: string): Promise<Response> =>
    aServer().ask(
      "/api/sessions/demo/interrupt",
      { method: "POST", body, headers: { "idempotency-key": "k-1" } },
      "socket",
    );
  const answer = await ask("");
  expect(answer.status).toBe(202);
  expect(await answer.json()).toEqual({
    sessionId: "demo-1",
    messageId: expect.stringMatching(/^demo-1 by k-1\n[0-9a-f]{16}$/),
  });
  expect((await ask('{"message":"m-1"}')).status).toBe(400);
});

it("a move uses the caller's key, and requires a known runtime", async () => {
  const { ask, moves } = aServer();
  const move = (runtime: string): Promise<Response> =>
    ask(
      "/api/sessions/demo/runtime",
      { method: "POST", body: JSON.stringify({ runtime }), headers: { "idempotency-key": "k-1" } },
      "socket",
    );
  const answer = await move("tmux");
  expect(answer.status).toBe(202);
  expect(await answer.json()).toMatchObject({ id: "demo-1", runtime: "process", movedFrom: null });
  expect((await move("moon")).status).toBe(400);
  expect(moves).toEqual([["demo-1", "tmux", { key: expect.stringMatching(/^k-1\n/) }]]);
});

it.each([
  ["{}", /^Invalid input: choice: expected string, received undefined\.$/],
  ['{"choice":1,"by":"me"}', /choice: expected string, received number; body: Unrecognized key: "by"\.$/],
  ["[]", /^Invalid input: body: expected object, received array\.$/],
  ["{", /^Invalid input: not JSON\.$/],
])("a body like %s is rejected with the wrong field", async (body, detail) => {
  const answer = await aServer().ask("/api/sessions/demo/answer", { method: "POST", body }, "socket");
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { detail: string }).detail).toMatch(detail);
});

describe("costs", () => {
  it.each([
    ["/api/costs", { by: "session", since: null, data: [], total: { costUsd: 0 } }],
    ["/api/costs?by=day&project=demo&since=2026-07-01", { by: "day", since: "2026-07-01" }],
    ["/api/sessions/demo-1/cost", { sessionId: "demo-1", costUsd: 0, models: [], days: [] }],
  ])("%s returns them", async (path, expected) => {
    const answer = await aServer().ask(path, {}, "socket");
    expect(await answer.json()).toMatchObject(expected);
  });

  it.each([
    ["/api/costs?by=mood", 400, /^Invalid input: by: .*"session"\|"task"/],
    ["/api/costs?since=yesterday", 400, /^Invalid input: since: not a day such as 2026-07-01\.$/],
    ["/api/costs?since=2026-13-01", 400, /since: not a day/],
    ["/api/costs?untill=2026-07-01", 400, /^Invalid input: query: Unrecognized key: "untill"\.$/],
    ["/api/costs?project=nope", 404, /no project "nope"/],
    ["/api/sessions/nope/cost", 404, /no session "nope"/],
  ])("%s is rejected with %i", async (path, status, detail) => {
    const answer = await aServer().ask(path, {}, "socket");
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(detail);
  });
});

describe("an answer over HTTP", () => {
  const json = { authorization: "Bearer ao_main" };

  it("is not sent again to a browser that has it", async () => {
    const { ask } = aServer();
    const first = await ask("/api/sessions", { headers: json });
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const again = await ask("/api/sessions", { headers: { ...json, "if-none-match": `"other", ${etag}` } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    for (const other of ["/api/sessions?limit=1", "/api/sessions?all=true"]) {
      expect((await ask(other, { headers: { ...json, "if-none-match": etag } })).status).toBe(200);
    }
  });

  it("is compressed if it is large and the caller supports it", async () => {
    const { ask } = aServer();
    const plain = await ask("/api/sessions", { headers: json });
    const zipped = await ask("/api/sessions", { headers: { ...json, "accept-encoding": "br, gzip" } });
    expect([plain.headers.get("content-encoding"), zipped.headers.get("content-encoding")]).toEqual([null, "gzip"]);
    const unzipped = gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString("utf8");
    expect(JSON.parse(unzipped)).toEqual(await plain.json());
    const small = await ask("/api/me", { headers: { ...json, "accept-encoding": "gzip" } });
    expect(small.headers.get("content-encoding")).toBeNull();
  });

  it("is sent uncompressed to the user's own programs on the socket", async () => {
    const answer = await aServer().ask("/api/sessions", { headers: { "accept-encoding": "gzip" } }, "socket");
    expect([answer.headers.get("etag"), answer.headers.get("content-encoding")]).toEqual([null, null]);
  });
});

describe("who is calling", () => {
  it.each([
    ["the socket", {}, "socket", { kind: "owner", name: "socket", scopes: ["read", "operate", "admin"] }],
    ["a token", { authorization: "Bearer ao_main" }, "tcp", { kind: "owner", name: "main token" }],
    [
      "a session",
      { authorization: `Bearer ${sessionToken("ao_main", "demo-1")}` },
      "tcp",
      { kind: "session", name: "demo-1", scopes: [], projectId: "demo" },
    ],
  ] as const)("is reported to %s", async (_name, headers, transport, expected) => {
    const answer = await aServer().ask("/api/me", { headers }, transport);
    expect(await answer.json()).toMatchObject(expected);
  });
});

describe("the audit", () => {
  const call = "POST /api/sessions/demo-1/runtime";
  const write = { method: "POST", body: JSON.stringify({ runtime: "tmux" }) };

  it("has every write and its caller, and no reads", async () => {
    const { ask, audited } = aServer();
    await ask("/api/sessions/demo-1/runtime", write, "socket");
    await ask("/api/sessions", {}, "socket");
    expect(audited).toMatchObject([{ by: { kind: "owner", name: "socket" }, call, outcome: "done", code: null }]);
  });

  it.each<[string, RequestInit, object]>([
    ["nobody signed in", {}, { by: { kind: "unknown", name: "" }, code: "unauthorized" }],
    ["a foreign page", { headers: { origin: "http://evil.example" } }, { by: { kind: "unknown" }, code: "forbidden" }],
    [
      "a session about another's",
      { headers: { authorization: `Bearer ${sessionToken("ao_main", "demo-2")}` } },
      { by: { kind: "session", name: "demo-2" }, code: "forbidden" },
    ],
    [
      "the input is wrong",
      { headers: { authorization: "Bearer ao_main" }, body: "{" },
      { by: { kind: "owner", name: "main token" }, code: "usage", status: 400 },
    ],
  ])("has refused writes: %s", async (_name, init, record) => {
    const { ask, audited, moves } = aServer();
    await ask("/api/sessions/demo-1/runtime", { ...write, ...init });
    expect(audited).toMatchObject([{ call, outcome: "refused", ...record }]);
    expect(moves).toEqual([]);
  });

  it("has who opened a terminal for typing, and who was refused", async () => {
    const { sockets, audited } = aServer();
    const socket = { on: () => socket, end: () => undefined } as never;
    const headers = { host: "localhost:3000", upgrade: "websocket", authorization: "Bearer ao_wrong" };
    sockets.upgrade({ url: "/api/sessions/demo-1/terminal", headers } as never, socket, {
      head: Buffer.alloc(0),
      transport: "tcp",
    });
    expect(audited).toMatchObject([{ call: "GET /api/sessions/demo-1/terminal", status: 401, outcome: "refused" }]);
  });
});
