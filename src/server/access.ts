import type { Principal } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";

export interface AccessRequest {
  /** A Unix socket is reached only by the user's own programs; its folder is closed to others. */
  readonly transport: "socket" | "tcp";
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** The value of ao's own cookie. */
  readonly cookie: string | undefined;
  /** It brings the secret of a link. */
  readonly hasLink: boolean;
}

export interface AccessRules {
  /** Names under which this server may be called, without port. */
  readonly allowedHosts: readonly string[];
  /** Who a bearer token speaks for; null: nobody. */
  principalOf(token: string): Principal | null;
  /** Is this the cookie of a browser that was let in? */
  isBrowser(cookie: string): boolean;
}

const OPEN_PATHS = new Set(["/healthz", "/icon.svg"]);
const READING = ["GET", "HEAD"];
const NOBODY: Principal = { kind: "session", sessionId: "" };

/** Lets a request in, or throws with what to do. Checks Host (DNS rebinding), Origin (other web pages), then token or cookie. */
export function admit(request: AccessRequest, rules: AccessRules): Principal {
  if (request.transport === "tcp" || request.origin !== undefined) checkNames(request, rules);
  if (request.transport === "socket") return { kind: "owner" };
  if (isOpen(request)) return NOBODY;
  const token = /^Bearer (.+)$/i.exec(request.authorization ?? "")?.[1];
  if (token === undefined && request.cookie !== undefined && rules.isBrowser(request.cookie)) {
    return checkCookieUse(request);
  }
  const principal = token === undefined ? null : rules.principalOf(token.trim());
  if (principal === null) {
    throw new AoError({
      code: "unauthorized",
      message: token === undefined ? "This address needs a token." : "This token is not known.",
      hint: 'Use `curl -H "Authorization: Bearer $(ao token)" ...`; `ao open` lets a browser in.',
    });
  }
  if (principal.kind === "session") checkOwn(request, principal.sessionId);
  return principal;
}

function isOpen({ method, path, hasLink }: AccessRequest): boolean {
  // The files of the page say nothing about anybody's work.
  if (OPEN_PATHS.has(path) || path.startsWith("/assets/")) return true;
  return method === "GET" && path === "/" && hasLink;
}

// A browser adds the cookie by itself, for pages of other ports of this machine too. Only the page's own Origin, which no
// page can make up, tells who asks; without one a write is refused.
function checkCookieUse(request: AccessRequest): Principal {
  if (READING.includes(request.method) || request.origin !== undefined) return { kind: "owner" };
  throw new AoError({
    code: "forbidden",
    message: "A browser's request without an Origin may only read.",
    hint: "Scripts use a token: `ao token`.",
  });
}

function checkNames(request: AccessRequest, rules: AccessRules): void {
  const host = request.host === undefined ? null : nameOf(request.host);
  if (request.transport === "tcp" && (host === null || !rules.allowedHosts.includes(host))) {
    throw new AoError({
      code: "forbidden",
      message: `The host name "${request.host ?? ""}" is not allowed.`,
      hint: "Add it to `dashboard.allowedHosts` in the configuration if it is yours.",
    });
  }
  if (request.origin === undefined) return;
  const origin = URL.canParse(request.origin) ? new URL(request.origin).host : null;
  if (origin === null || origin !== request.host) {
    throw new AoError({
      code: "forbidden",
      message: `A page of ${request.origin} may not call ao.`,
      hint: "Only ao's own page may; scripts send no Origin header.",
    });
  }
}

/** What a session may do beside reading: open its pull request, and reply in it. */
const OWN_WRITES = ["pull-request", "reply"];

function checkOwn(request: AccessRequest, sessionId: string): void {
  const own = `/api/sessions/${encodeURIComponent(sessionId)}`;
  const isOwn = request.path === own || request.path.startsWith(`${own}/`);
  if (request.method === "GET" && isOwn) return;
  if (request.method === "POST" && OWN_WRITES.some((word) => request.path === `${own}/${word}`)) return;
  throw new AoError({
    code: "forbidden",
    message: "A session's token may only read its own session, open its pull request and reply in it.",
    hint: "A person steers, approves and merges with `ao`.",
  });
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
