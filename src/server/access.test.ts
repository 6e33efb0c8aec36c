import { describe, expect, it } from "vitest";
import { createLoginLinks } from "../auth/login-links.ts";
import { createTokens, type StoredToken, sessionToken } from "../auth/tokens.ts";
import type { Scope } from "../protocol/choices.ts";
import { type AccessRequest, type AccessRules, admit } from "./access.ts";

const stored: StoredToken[] = [];
const tokens = createTokens({
  main: "ao_main",
  load: () => stored,
  save: (all) => stored.splice(0, stored.length, ...all),
});
const links = createLoginLinks({ now: () => 0, load: () => [], save: () => undefined });
const cookie = links.redeem(links.create("/").secret)?.cookie;
const rules: AccessRules = {
  allowedHosts: ["localhost", "127.0.0.1", "[::1]", "box.tailnet"],
  webhookHosts: ["hooks.example"],
  principalOf: tokens.principalOf,
  isBrowser: links.isKnown,
};

function aRequest(changes: Partial<AccessRequest> = {}): AccessRequest {
  return {
    transport: "tcp",
    method: "GET",
    path: "/api/sessions",
    host: "localhost:3000",
    target: "localhost:3000",
    origin: undefined,
    authorization: "Bearer ao_main",
    cookie: undefined,
    hasLink: false,
    ...changes,
  };
}

function verdict(changes: Partial<AccessRequest>): string {
  try {
    return admit(aRequest(changes), rules).kind;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("who may call", () => {
  it.each<[string, Partial<AccessRequest>, string]>([
    ["the owner with the token", {}, "owner"],
    ["nobody without a token", { authorization: undefined }, "unauthorized"],
    ["nobody with a wrong token", { authorization: "Bearer ao_mai" }, "unauthorized"],
    ["nobody with an empty token", { authorization: "Bearer " }, "unauthorized"],
    [
      "the user's own programs on the socket",
      { transport: "socket", authorization: undefined, host: undefined },
      "owner",
    ],
    [
      "no page, even on the socket",
      { transport: "socket", origin: "http://evil.example", host: "localhost" },
      "forbidden",
    ],
    ["no other host name (DNS rebinding)", { host: "evil.example:3000" }, "forbidden"],
    ["no missing host name", { host: undefined }, "forbidden"],
    ["no name that only starts the same", { host: "localhost.evil.example" }, "forbidden"],
    ["an allowed name", { host: "box.tailnet:3000" }, "owner"],
    ["IPv6 loopback", { host: "[::1]:3000" }, "owner"],
    ["any case of a name", { host: "LocalHost:3000" }, "owner"],
    ["no user in front of a name", { host: "evil@localhost:3000" }, "forbidden"],
    ["no other name in the request line", { target: "evil.example" }, "forbidden"],
    ["no list of names", { host: "localhost, evil.example" }, "forbidden"],
    ["no foreign page with the token", { origin: "http://evil.example" }, "forbidden"],
    ["no page of another port", { origin: "http://localhost:4000" }, "forbidden"],
    ["no page of an opaque origin", { origin: "null" }, "forbidden"],
    ["ao's own page", { origin: "http://localhost:3000" }, "owner"],
    ["anyone who asks for health", { path: "/healthz", authorization: undefined }, "session"],
    ["nobody with another host name who asks for health", { path: "/healthz", host: "evil.example" }, "forbidden"],
    ["anyone with a link", { path: "/", authorization: undefined, hasLink: true }, "session"],
    ["nobody with a link to the API", { authorization: undefined, hasLink: true }, "unauthorized"],
    ["nobody who posts a link", { path: "/", authorization: undefined, hasLink: true, method: "POST" }, "unauthorized"],
  ])("allows %s: %o", (_name, changes, expected) => {
    expect(verdict(changes)).toBe(expected);
  });

  it("allows a session's token to read its own session and nothing else", () => {
    const own = `Bearer ${sessionToken("ao_main", "app-1")}`;
    expect(verdict({ authorization: own, path: "/api/sessions/app-1" })).toBe("session");
    expect(verdict({ authorization: own, path: "/api/sessions/app-1/timeline" })).toBe("session");
    expect(verdict({ authorization: own, path: "/api/sessions/app-12" })).toBe("forbidden");
    expect(verdict({ authorization: own, path: "/api/sessions" })).toBe("forbidden");
    expect(verdict({ authorization: own, path: "/api/sessions/app-1/message", method: "POST" })).toBe("forbidden");
    expect(verdict({ authorization: own, path: "/api/sessions/app-1/interrupt", method: "POST" })).toBe("forbidden");
    expect(verdict({ authorization: own, path: "/api/sessions/app-1/runtime", method: "POST" })).toBe("forbidden");
    expect(verdict({ authorization: `Bearer ${sessionToken("ao_main", "app-1").replace("app-1", "app-2")}` })).toBe(
      "unauthorized",
    );
  });

  it.each<[string, Partial<AccessRequest>, string]>([
    ["reads", { path: "/" }, "owner"],
    ["reads the API", { path: "/api/sessions" }, "owner"],
    ["writes from ao's own page", { method: "POST", origin: "http://localhost:3000" }, "owner"],
    ["does not write from another page", { method: "POST", origin: "http://evil.example" }, "forbidden"],
    ["does not write from a page of another port", { method: "POST", origin: "http://localhost:4000" }, "forbidden"],
    ["does not read for another page", { origin: "http://localhost:4000" }, "forbidden"],
    ["does not write without an Origin", { method: "POST" }, "forbidden"],
    ["does not delete without an Origin", { method: "DELETE" }, "forbidden"],
    ["is nobody with a made-up cookie", { cookie: "0".repeat(48) }, "unauthorized"],
    ["is nobody with an empty cookie", { cookie: "" }, "unauthorized"],
    ["does not hide a wrong token", { authorization: "Bearer nonsense" }, "unauthorized"],
  ])("a signed-in browser %s: %o", (_name, changes, expected) => {
    expect(verdict({ authorization: undefined, cookie, ...changes })).toBe(expected);
  });

  it.each<[string, string, string, string]>([
    ["opens its own pull request", "POST", "/api/sessions/app-1/pull-request", "session"],
    ["replies in its own pull request", "POST", "/api/sessions/app-1/reply", "session"],
    ["does not approve", "POST", "/api/sessions/app-1/approve", "forbidden"],
    ["does not review", "POST", "/api/sessions/app-1/review", "forbidden"],
    ["does not merge", "POST", "/api/sessions/app-1/merge", "forbidden"],
    ["does not reply for another session", "POST", "/api/sessions/app-2/reply", "forbidden"],
    ["does not open for another session", "POST", "/api/sessions/app-12/pull-request", "forbidden"],
    ["does not reply as a person", "POST", "/api/pull-requests/app/1/threads/t/reply", "forbidden"],
    ["does not merge by number", "POST", "/api/pull-requests/app/1/merge", "forbidden"],
    ["does not read other pull requests", "GET", "/api/pull-requests", "forbidden"],
    ["does not create login links", "POST", "/api/link", "forbidden"],
    ["does not dismiss inbox items", "POST", "/api/inbox/ack", "forbidden"],
    ["does not see the dashboard", "GET", "/", "forbidden"],
    ["does not delete its pull request's path", "DELETE", "/api/sessions/app-1/pull-request", "forbidden"],
    ["does not stop itself", "DELETE", "/api/sessions/app-1", "forbidden"],
  ])("a session's token %s", (_name, method, path, expected) => {
    const authorization = `Bearer ${sessionToken("ao_main", "app-1")}`;
    expect(verdict({ authorization, method, path })).toBe(expected);
  });

  it.each<[Scope, string, string, string]>([
    ["read", "GET", "/api/sessions", "token"],
    ["read", "GET", "/api/events", "token"],
    ["read", "GET", "/api/live", "token"],
    ["read", "GET", "/api/me", "token"],
    ["read", "GET", "/", "token"],
    ["read", "POST", "/api/sessions", "forbidden"],
    ["read", "POST", "/api/sessions/app-1/message", "forbidden"],
    ["read", "GET", "/api/tokens", "forbidden"],
    ["operate", "POST", "/api/sessions", "token"],
    ["operate", "POST", "/api/pull-requests/app/1/merge", "token"],
    ["operate", "POST", "/api/link", "forbidden"],
    ["operate", "POST", "/api/tokens", "forbidden"],
    ["operate", "POST", "/api/projects", "forbidden"],
    ["operate", "POST", "/api/shutdown", "forbidden"],
    ["operate", "GET", "/api/not-in-the-table", "forbidden"],
    ["admin", "POST", "/api/shutdown", "token"],
  ])("a token with the scope %s: %s %s returns %s", (scope, method, path, expected) => {
    const authorization = `Bearer ${tokens.create("scoped", scope)}`;
    expect(verdict({ authorization, method, path })).toBe(expected);
    tokens.revoke("scoped");
  });

  it("a token without a scope, from before scopes existed, may do everything", () => {
    const token = tokens.create("old", "read");
    const [made] = stored.splice(0, 1) as [StoredToken];
    stored.push({ name: made.name, hash: made.hash, createdAt: made.createdAt });
    expect(verdict({ authorization: `Bearer ${token}`, method: "POST", path: "/api/shutdown" })).toBe("token");
    tokens.revoke("old");
  });

  it("accepts a named token until it is revoked, and stores only its hash", () => {
    const token = tokens.create("ci", "admin");
    expect(verdict({ authorization: `Bearer ${token}` })).toBe("token");
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(() => tokens.create("ci", "admin")).toThrow(/already/);
    tokens.revoke("ci");
    expect(verdict({ authorization: `Bearer ${token}` })).toBe("unauthorized");
    expect(() => tokens.revoke("ci")).toThrow(/no token/);
  });
});
