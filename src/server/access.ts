import { AoError } from "../core/errors.ts";

/** Who is calling. A session's own token sees its session and never steers, approves or merges. */
export type Principal = { readonly kind: "owner" } | { readonly kind: "session"; readonly sessionId: string };

export interface AccessRequest {
  /** A Unix socket is reached only by the user's own programs; its folder is closed to others. */
  readonly transport: "socket" | "tcp";
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

export interface AccessRules {
  /** Names under which this server may be called, without port. */
  readonly allowedHosts: readonly string[];
  /** Who a bearer token speaks for; null: nobody. */
  principalOf(token: string): Principal | null;
}

const OPEN_PATHS = new Set(["/healthz"]);

/** Lets a request in, or throws with what to do. Checks Host (DNS rebinding), Origin (other web pages), then the token. */
export function admit(request: AccessRequest, rules: AccessRules): Principal {
  if (request.transport === "tcp" || request.origin !== undefined) checkNames(request, rules);
  if (request.transport === "socket") return { kind: "owner" };
  if (OPEN_PATHS.has(request.path)) return { kind: "session", sessionId: "" };
  const token = /^Bearer (.+)$/i.exec(request.authorization ?? "")?.[1];
  const principal = token === undefined ? null : rules.principalOf(token.trim());
  if (principal === null) {
    throw new AoError({
      code: "unauthorized",
      message: token === undefined ? "This address needs a token." : "This token is not known.",
      hint: 'Use `curl -H "Authorization: Bearer $(ao token)" ...`.',
    });
  }
  if (principal.kind === "session") checkOwn(request, principal.sessionId);
  return principal;
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

function checkOwn(request: AccessRequest, sessionId: string): void {
  const own = `/api/sessions/${encodeURIComponent(sessionId)}`;
  const isOwn = request.path === own || request.path.startsWith(`${own}/`);
  if (request.method === "GET" && isOwn) return;
  throw new AoError({
    code: "forbidden",
    message: "A session's token may only read its own session.",
    hint: "A person steers with `ao`.",
  });
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
