import { createHash, randomBytes } from "node:crypto";

/** A browser that was let in, as it is kept: the hash of its cookie. */
export interface StoredLogin {
  readonly hash: string;
  readonly expiresAt: number;
}

/** Links that let a browser in once, and the cookies of browsers that were let in. */
export interface LoginLinks {
  /** Makes the secret of a link; whoever opens it lands at `path`. */
  create(path: string): { readonly secret: string; readonly expiresAt: number };
  /** Gives a cookie for a secret, once; null: it was used, is too old, or never was. */
  redeem(secret: string): { readonly cookie: string; readonly path: string } | null;
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
const MAX_LOGINS = 50;

/** Links live in memory and cookies as hashes in a small file, so that a page stays open across a restart of the daemon. */
export function createLoginLinks(options: LoginLinksOptions): LoginLinks {
  const { now } = options;
  const links = new Map<string, { readonly path: string; readonly expiresAt: number }>();
  let logins: readonly StoredLogin[] = options.load();
  const forget = (): void => {
    for (const [hash, link] of links) if (link.expiresAt <= now()) links.delete(hash);
    for (const hash of [...links.keys()].slice(0, Math.max(0, links.size - MAX_LINKS))) links.delete(hash);
  };
  return {
    create: (path) => {
      const secret = randomBytes(24).toString("hex");
      const expiresAt = now() + LINK_MS;
      links.set(digest(secret), { path, expiresAt });
      forget();
      return { secret, expiresAt };
    },
    redeem: (secret) => {
      forget();
      const hash = digest(secret);
      const link = links.get(hash);
      if (link === undefined) return null;
      links.delete(hash);
      const cookie = randomBytes(24).toString("hex");
      const living = logins.filter((login) => login.expiresAt > now());
      logins = [...living, { hash: digest(cookie), expiresAt: now() + LOGIN_MS }].slice(-MAX_LOGINS);
      options.save(logins);
      return { cookie, path: link.path };
    },
    // Hashes are compared, so the time of a comparison says nothing about the cookie.
    isKnown: (cookie) => {
      const hash = digest(cookie);
      return logins.some((login) => login.hash === hash && login.expiresAt > now());
    },
  };
}

function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
