import type { Principal } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import { SCOPES, type Scope } from "../protocol/choices.ts";
import { matchCall } from "./match-call.ts";

export interface AccessRequest {
  /** A Unix socket is reached only by the user's own programs; its folder is closed to others. */
  readonly transport: "socket" | "tcp";
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  /** The host that the request line itself names; the same as `host` unless somebody wrote a whole URL there. */
  readonly target: string;
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
  /** Names under which only forges may call; default: none. */
  readonly webhookHosts?: readonly string[];
  /** Who a bearer token speaks for; null: nobody. */
  principalOf(token: string): Principal | null;
  /** Is this the cookie of a browser that signed in? */
  isBrowser(cookie: string): boolean;
}

const READING = ["GET", "HEAD"];
const WEBHOOKS = "/api/webhooks/";
const NOBODY: Principal = { kind: "session", name: "" };

/**
 * Lets a request in, or throws with what to do. Checks Host (DNS rebinding), Origin (other web pages), then token or
 * cookie, then whether the call is within the caller's scope. `onKnown` hears who is calling, also if that is then refused.
 */
export function admit(
  request: AccessRequest,
  rules: AccessRules,
  onKnown: (principal: Principal) => void = () => undefined,
): Principal {
  if (request.transport === "tcp" || request.origin !== undefined) checkNames(request, rules);
  if (request.transport === "socket") return { kind: "owner", name: "socket" };
  if (isOpen(request)) return NOBODY;
  const principal = identify(request, rules);
  onKnown(principal);
  checkScope(request, principal);
  return principal;
}

function isOpen({ method, path, hasLink }: AccessRequest): boolean {
  // The files of the page say nothing about anybody's work.
  if (path === "/icon.svg" || path.startsWith("/assets/")) return true;
  return matchCall(method, path)?.spec.scope === null || (method === "GET" && path === "/" && hasLink);
}

function identify(request: AccessRequest, rules: AccessRules): Principal {
  const token = /^Bearer (.+)$/i.exec(request.authorization ?? "")?.[1];
  if (token === undefined && request.cookie !== undefined && rules.isBrowser(request.cookie)) {
    return checkCookieUse(request);
  }
  const principal = token === undefined ? null : rules.principalOf(token.trim());
  if (principal !== null) return principal;
  throw new AoError({
    code: "unauthorized",
    message: token === undefined ? "This address needs a token." : "This token is not known.",
    hint: 'Use `curl -H "Authorization: Bearer $(ao token)" ...`; `ao open` signs in a browser.',
  });
}

// A browser adds the cookie by itself, for pages of other ports of this machine too. Only the page's own Origin, which no
// page can make up, tells who asks; without one a write is refused.
function checkCookieUse(request: AccessRequest): Principal {
  if (READING.includes(request.method) || request.origin !== undefined) return { kind: "owner", name: "browser" };
  throw new AoError({
    code: "forbidden",
    message: "A browser's request without an Origin may only read.",
    hint: "Scripts use a token: `ao token`.",
  });
}

function checkNames(request: AccessRequest, rules: AccessRules): void {
  const names = request.transport === "tcp" ? [request.host ?? "", request.target] : [];
  const allowed = isWebhook(request) ? [...rules.allowedHosts, ...(rules.webhookHosts ?? [])] : rules.allowedHosts;
  const foreign = names.find((name) => !allowed.includes(nameOf(name)));
  if (foreign !== undefined) {
    throw new AoError({
      code: "forbidden",
      message: `The host name "${foreign}" is not allowed.`,
      hint: `Add it to \`${isWebhook(request) ? "webhooks.url" : "dashboard.allowedHosts"}\` in the configuration if it is yours.`,
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

function isWebhook({ method, path }: AccessRequest): boolean {
  return method === "POST" && path.startsWith(WEBHOOKS);
}

function checkScope(request: AccessRequest, principal: Principal): void {
  if (principal.kind === "owner") return;
  const call = matchCall(request.method, request.path);
  if (principal.kind === "session") {
    checkOwn(principal.name, call);
    return;
  }
  const needed = call === null ? scopeOfOther(request.path) : (call.spec.scope ?? "read");
  if (SCOPES.indexOf(principal.scope) >= SCOPES.indexOf(needed)) return;
  throw new AoError({
    code: "forbidden",
    message: `The token ${principal.name} has the scope ${principal.scope}; this call needs ${needed}.`,
    hint: `Create one that may: \`ao token create NAME --scope ${needed}\`.`,
  });
}

// Whoever forgets to declare a call has not opened it to every token.
function scopeOfOther(path: string): Scope {
  return path.startsWith("/api/") ? "admin" : "read";
}

function checkOwn(sessionId: string, call: ReturnType<typeof matchCall>): void {
  const isOwn = call?.params["id"] === undefined || call.params["id"] === sessionId;
  if (call?.spec.own === true && isOwn) return;
  throw new AoError({
    code: "forbidden",
    message: "A session's token may only read its own session, open its pull request and reply in it.",
    hint: "A person steers, approves and merges with `ao`.",
  });
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
