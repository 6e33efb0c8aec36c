import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import type { LoginLinks } from "../auth/login-links.ts";
import type { Tokens } from "../auth/tokens.ts";
import { admit } from "./access.ts";
import type { AppEnv } from "./app.ts";
import { cookieName } from "./cookie-name.ts";
import { addressMatcher, seenAs } from "./seen-as.ts";

export interface GuardOptions {
  readonly tokens: Tokens;
  readonly links: LoginLinks;
  readonly allowedHosts: () => readonly string[];
  /** Names under which forges may call; default: none. */
  readonly webhookHosts?: readonly string[];
  /** Addresses and ranges of proxies that are believed. */
  readonly trustedProxies?: readonly string[];
}

/** What every answer carries: it is not guessed at, framed, loaded by other sites, or kept unless its route says so. */
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
} as const;

/** Finds out who is calling and whether they may, before anything else looks at the request. */
export function createGuard(options: GuardOptions): MiddlewareHandler<AppEnv> {
  const isTrusted = addressMatcher(options.trustedProxies ?? []);
  return async (c, next) => {
    // Before the answer is made: a header that is added later makes a stream of its body, which costs more than all the rest.
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    const seen = seenAs((name) => c.req.header(name), c.env.peer, isTrusted);
    const { host } = seen;
    c.set("seen", seen);
    const principal = admit(
      {
        transport: c.env.transport,
        method: c.req.method,
        path: c.req.path,
        host,
        target: seen.isForwarded ? (host ?? "") : new URL(c.req.url).host,
        origin: c.req.header("origin"),
        authorization: c.req.header("authorization"),
        cookie: getCookie(c, cookieName(host)),
        hasLink: c.req.query("link") !== undefined,
      },
      {
        allowedHosts: options.allowedHosts(),
        webhookHosts: options.webhookHosts ?? [],
        principalOf: options.tokens.principalOf,
        isBrowser: options.links.isKnown,
      },
      (known) => c.set("principal", known),
    );
    c.set("principal", principal);
    await next();
  };
}
