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
  /** Host names for forges; default: none. */
  readonly webhookHosts?: readonly string[];
  /** Addresses and ranges of trusted proxies. */
  readonly trustedProxies?: readonly string[];
}

/**
 * Headers of every answer: no content sniffing, framing, loading by other sites, or caching unless its route says so.
 */
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
} as const;

/** Authenticates and authorizes the caller before anything else handles the request. */
export function createGuard(options: GuardOptions): MiddlewareHandler<AppEnv> {
  const isTrusted = addressMatcher(options.trustedProxies ?? []);
  return async (c, next) => {
    // Set before the answer is created: adding a header later turns its body into a stream, which costs more than
    // everything else.
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
