import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AoError } from "../core/errors.ts";
import type { Scope } from "../protocol/choices.ts";
import type { TokenView } from "../protocol/views/daemon.ts";

/**
 * Who is calling. A session's own token can read its session, open its pull request and reply to its reviewers; it can
 * never approve, merge or steer.
 */
export type Principal =
  | { readonly kind: "owner"; readonly name: "socket" | "browser" | "main token" }
  | { readonly kind: "token"; readonly name: string; readonly scope: Scope }
  | { readonly kind: "session"; readonly name: string };

export interface StoredToken {
  readonly name: string;
  readonly hash: string;
  readonly createdAt: string;
  /** Absent: the token predates scopes and may do everything. */
  readonly scope?: Scope;
}

export interface Tokens {
  principalOf(token: string): Principal | null;
  list(): readonly TokenView[];
  /** Creates a token; it is shown once and stored only as a hash. */
  create(name: string, scope: Scope): string;
  revoke(name: string): TokenView;
}

/** The main token from the token file, the named tokens, and one token per session. */
export function createTokens(options: {
  readonly main: string;
  readonly load: () => readonly StoredToken[];
  readonly save: (tokens: readonly StoredToken[]) => void;
}): Tokens {
  return {
    principalOf: (token) => {
      if (equal(token, options.main)) return { kind: "owner", name: "main token" };
      const session = /^aos_(.+)_([0-9a-f]{40})$/.exec(token);
      if (session !== null) {
        const [, sessionId = "", mac = ""] = session;
        return equal(mac, sessionMac(options.main, sessionId)) ? { kind: "session", name: sessionId } : null;
      }
      const hash = digest(token);
      const found = options.load().find((stored) => equal(stored.hash, hash));
      return found === undefined ? null : { kind: "token", name: found.name, scope: found.scope ?? "admin" };
    },
    list: () => options.load().map(toTokenView),
    create: (name, scope) => {
      const known = options.load();
      if (known.some((stored) => stored.name === name)) {
        throw new AoError({
          code: "conflict",
          message: `There is already a token named ${name}.`,
          hint: `Revoke it first: \`ao token revoke ${name}\`.`,
        });
      }
      const token = `ao_${randomBytes(24).toString("hex")}`;
      options.save([...known, { name, hash: digest(token), createdAt: new Date().toISOString(), scope }]);
      return token;
    },
    revoke: (name) => {
      const known = options.load();
      const found = known.find((stored) => stored.name === name);
      if (found === undefined) {
        throw new AoError({
          code: "not-found",
          message: `There is no token named ${name}.`,
          hint: "`ao token list` lists them.",
        });
      }
      options.save(known.filter((stored) => stored !== found));
      return toTokenView(found);
    },
  };
}

function toTokenView({ name, createdAt, scope = "admin" }: StoredToken): TokenView {
  return { name, createdAt, scope };
}

/** A token that acts for one session and can never approve or merge. */
export function sessionToken(secret: string, sessionId: string): string {
  return `aos_${sessionId}_${sessionMac(secret, sessionId)}`;
}

function sessionMac(secret: string, sessionId: string): string {
  return createHmac("sha256", secret).update(`session:${sessionId}`).digest("hex").slice(0, 40);
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
