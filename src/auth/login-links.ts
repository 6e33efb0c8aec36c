import { createHash, randomBytes } from "node:crypto";
import { AoError } from "../core/errors.ts";

/** A signed-in browser as stored: the hash of its cookie. */
export interface StoredLogin {
  readonly hash: string;
  readonly expiresAt: number;
}

/** One-time links that sign a browser in, and the cookies of signed-in browsers. */
export interface LoginLinks {
  /** Creates the secret of a link that opens `path`. A lasting link works until the daemon stops. */
  create(
    path: string,
    options?: { readonly lasting: boolean },
  ): { readonly secret: string; readonly expiresAt: number };
  /**
   * Exchanges a secret for a cookie, once; null if it is used, expired or unknown. Rejects after too many wrong
   * secrets. Attempts that another site made the browser send are counted separately, or any web page could lock the
   * owner out.
   */
  redeem(secret: string, from?: "owner" | "other-site"): { readonly cookie: string; readonly path: string } | null;
  isKnown(cookie: string): boolean;
}

export interface LoginLinksOptions {
  readonly now: () => number;
  readonly load: () => readonly StoredLogin[];
  readonly save: (logins: readonly StoredLogin[]) => void;
}

const LINK_MS = 5 * 60_000;
/** How long a browser stays signed in. */
export const LOGIN_MS = 7 * 24 * 60 * 60_000;
const MAX_LINKS = 100;
/** Failed attempts per minute; after that, further attempts in the same minute are refused. */
const MAX_FAILURES = 20;
const FAILURE_MS = 60_000;
const MAX_LOGINS = 50;

interface Link {
  readonly path: string;
  readonly expiresAt: number;
  readonly lasting: boolean;
}

/** Links live in memory and cookies as hashes in a small file, so the dashboard stays open across a daemon restart. */
export function createLoginLinks(options: LoginLinksOptions): LoginLinks {
  const { now } = options;
  const links = new Map<string, Link>();
  let logins: readonly StoredLogin[] = options.load();
  const failures = { owner: [] as readonly number[], "other-site": [] as readonly number[] };
  const forget = (): void => {
    for (const [hash, link] of links) if (link.expiresAt <= now()) links.delete(hash);
    const once = [...links].flatMap(([hash, { lasting }]) => (lasting ? [] : [hash]));
    for (const hash of once.slice(0, Math.max(0, once.length - MAX_LINKS))) links.delete(hash);
  };
  return {
    create: (path, { lasting } = { lasting: false }) => {
      const secret = randomBytes(24).toString("hex");
      const expiresAt = now() + (lasting ? LOGIN_MS : LINK_MS);
      links.set(digest(secret), { path, expiresAt, lasting });
      forget();
      return { secret, expiresAt };
    },
    redeem: (secret, from = "owner") => {
      forget();
      failures[from] = failures[from].filter((at) => at > now() - FAILURE_MS);
      if (failures[from].length >= MAX_FAILURES) throw tooMany();
      const hash = digest(secret);
      const link = links.get(hash);
      if (link === undefined) {
        failures[from] = [...failures[from], now()];
        return null;
      }
      if (!link.lasting) links.delete(hash);
      const cookie = randomBytes(24).toString("hex");
      const living = logins.filter((login) => login.expiresAt > now());
      logins = [...living, { hash: digest(cookie), expiresAt: now() + LOGIN_MS }].slice(-MAX_LOGINS);
      options.save(logins);
      return { cookie, path: link.path };
    },
    // Compares hashes, so timing reveals nothing about the cookie.
    isKnown: (cookie) => {
      const hash = digest(cookie);
      return logins.some((login) => login.hash === hash && login.expiresAt > now());
    },
  };
}

function tooMany(): AoError {
  return new AoError({
    code: "too-many-attempts",
    message: "Too many wrong links were tried.",
    hint: "Wait a minute, then open a new one: `ao open`.",
  });
}

function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
