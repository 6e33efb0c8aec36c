import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { StoredLogin } from "../auth/login-links.ts";
import type { HomePaths } from "../protocol/home.ts";

/** Signed-in browsers, stored as hashes in one small file. */
export function loginFile(paths: HomePaths): {
  load(): readonly StoredLogin[];
  save(logins: readonly StoredLogin[]): void;
} {
  return {
    load: () => (existsSync(paths.logins) ? parseLogins(readFileSync(paths.logins, "utf8")) : []),
    save: (logins) => {
      writeFileSync(`${paths.logins}.tmp`, `${JSON.stringify(logins)}\n`, { mode: 0o600 });
      renameSync(`${paths.logins}.tmp`, paths.logins);
    },
  };
}

// A damaged file only means that the browser needs a new link.
function parseLogins(text: string): readonly StoredLogin[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as StoredLogin[]) : [];
  } catch {
    return [];
  }
}
