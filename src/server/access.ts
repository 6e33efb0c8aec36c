import type { Principal } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import { SCOPES, type Scope } from "../protocol/choices.ts";
import type { Transport } from "./app.ts";
import { matchCall } from "./match-call.ts";

export interface AccessRequest {
  /** Only the user's own programs can reach the Unix socket, because its folder is private. */
  readonly transport: Transport;
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  /** The host in the request line itself; same as `host` unless the client sent a whole URL there. */
  readonly target: string;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** The value of ao's own cookie. */
  readonly cookie: string | undefined;
  /** It contains a login link's secret. */
  readonly hasLink: boolean;
}

export interface AccessRules {
  /** Host names of this server, without port. */
  readonly allowedHosts: readonly string[];
  /** Host names that only forges may use; default: none. */
  readonly webhookHosts?: readonly string[];
  /** The principal of a bearer token; null: unknown token. */
  principalOf(token: string): Principal | null;
  /** Is this the cookie of a signed-in browser? */
  isBrowser(cookie: string): boolean;
}

const READING = ["GET", "HEAD"];
const WEBHOOKS = "/api/webhooks/";
const NOBODY: Principal = { kind: "session", name: "" };

/**
 * Admits a request, or throws with the fix. Checks Host (DNS rebinding), Origin (other web pages), then token or
 * cookie, then whether the call is within the caller's scope. Calls `onKnown` with the caller even if the call is then
 * refused.
 */
export function admit(
  request: AccessRequest,
  rules: AccessRules,
  onKnown: (principal: Principal) => void = () => undefined,
): Principal {
  if (request.transport === "tcp" || request.origin !== undefined) checkNames(request, rules);
  if (request.transport === "socket") return { kind: "owner", name: "socket" };
  if (typeof request.transport === "object") return admitSession(request, request.transport.session, rules);
  if (isOpen(request)) return recognize(request, rules) ?? NOBODY;
  const principal = identify(request, rules);
  onKnown(principal);
  checkScope(request, principal);
  return principal;
}

// Whatever the token says: on the socket in a sandbox nobody is anything but that sandbox's session.
function admitSession(request: AccessRequest, session: string, rules: AccessRules): Principal {
  const token = bearerOf(request);
  const known = token === undefined ? null : rules.principalOf(token);
  if (known?.kind !== "session" || known.name !== session) {
    throw new AoError({
      code: "unauthorized",
      message: `This socket answers only the session ${session}, with its own token.`,
      hint: "`ao` sends the token in AO_TOKEN, which `ao` gave to the agent.",
    });
  }
  checkOwn(session, matchCall(request.method, request.path));
  return { kind: "session", name: session };
}

function bearerOf({ authorization }: AccessRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(authorization ?? "")?.[1]?.trim();
}

function isOpen({ method, path, hasLink }: AccessRequest): boolean {
  // The dashboard's own files reveal nothing about anyone's work.
  if (path === "/icon.svg" || path.startsWith("/assets/")) return true;
  return matchCall(method, path)?.spec.scope === null || (method === "GET" && path === "/" && hasLink);
}

/** The caller of an open address, which may say more to one who shows a token. */
function recognize(request: AccessRequest, rules: AccessRules): Principal | null {
  const token = bearerOf(request);
  return token === undefined ? null : rules.principalOf(token);
}

function identify(request: AccessRequest, rules: AccessRules): Principal {
  const token = bearerOf(request);
  if (token === undefined && request.cookie !== undefined && rules.isBrowser(request.cookie)) {
    return checkCookieUse(request);
  }
  const principal = token === undefined ? null : rules.principalOf(token);
  if (principal !== null) return principal;
  throw new AoError({
    code: "unauthorized",
    message: token === undefined ? "This address needs a token." : "Unknown token.",
    hint: 'Use `curl -H "Authorization: Bearer $(ao token)" ...`; `ao open` signs in a browser.',
  });
}

// A browser also sends the cookie for pages on other ports of this machine. Only the page's Origin, which a page cannot
// forge, shows who asks; without one a write is refused.
function checkCookieUse(request: AccessRequest): Principal {
  if (READING.includes(request.method) || request.origin !== undefined) return { kind: "owner", name: "browser" };
  throw new AoError({
    code: "forbidden",
    message: "A browser request without an Origin can only read.",
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
      message: `A page from ${request.origin} may not call ao.`,
      hint: "Only ao's own dashboard may; scripts send no Origin header.",
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
    hint: `Create one with that scope: \`ao token create NAME --scope ${needed}\`.`,
  });
}

// A call that is not declared must not be open to every token.
function scopeOfOther(path: string): Scope {
  return path.startsWith("/api/") ? "admin" : "read";
}

function checkOwn(sessionId: string, call: ReturnType<typeof matchCall>): void {
  const isOwn = call?.params["id"] === undefined || call.params["id"] === sessionId;
  if (call?.spec.own === true && isOwn) return;
  throw new AoError({
    code: "forbidden",
    message: "A session's token may only read its own session, open its pull request and reply in it.",
    hint: "A person does everything else with `ao`.",
  });
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
