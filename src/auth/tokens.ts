import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AoError } from "../core/errors.ts";
import type { TokenView } from "../protocol/views/daemon.ts";

/**
 * Who is calling. A session's own token sees its session, opens its pull request and replies to its reviewers; it never
 * approves, merges or steers.
 */
export type Principal = { readonly kind: "owner" } | { readonly kind: "session"; readonly sessionId: string };

export interface StoredToken {
  readonly name: string;
  readonly hash: string;
  readonly createdAt: string;
}

export interface Tokens {
  principalOf(token: string): Principal | null;
  list(): readonly TokenView[];
  /** Makes a token; it is shown once and kept only as a hash. */
  create(name: string): string;
  revoke(name: string): TokenView;
}

/** Tokens: the main one of the token file, named ones, and one for each session. */
export function createTokens(options: {
  readonly main: string;
  readonly load: () => readonly StoredToken[];
  readonly save: (tokens: readonly StoredToken[]) => void;
}): Tokens {
  return {
    principalOf: (token) => {
      if (equal(token, options.main)) return { kind: "owner" };
      const session = /^aos_(.+)_([0-9a-f]{40})$/.exec(token);
      if (session !== null) {
        const [, sessionId = "", mac = ""] = session;
        return equal(mac, sessionMac(options.main, sessionId)) ? { kind: "session", sessionId } : null;
      }
      const hash = digest(token);
      return options.load().some((stored) => equal(stored.hash, hash)) ? { kind: "owner" } : null;
    },
    list: () => options.load().map(({ name, createdAt }) => ({ name, createdAt })),
    create: (name) => {
      const known = options.load();
      if (known.some((stored) => stored.name === name)) {
        throw new AoError({
          code: "conflict",
          message: `There is already a token named ${name}.`,
          hint: `Revoke it first: \`ao token revoke ${name}\`.`,
        });
      }
      const token = `ao_${randomBytes(24).toString("hex")}`;
      options.save([...known, { name, hash: digest(token), createdAt: new Date().toISOString() }]);
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
      return { name: found.name, createdAt: found.createdAt };
    },
  };
}

/** A token that speaks for one session and never approves or merges. */
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
