import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { StoredToken } from "../auth/tokens.ts";
import { AoError } from "../core/errors.ts";
import type { HomePaths } from "../protocol/home.ts";
import { fillReserve } from "./disk-reserve.ts";

/** Creates AO_HOME, private to the user; reports clearly if it cannot. */
export function prepareHome(paths: HomePaths): void {
  try {
    mkdirSync(paths.home, { recursive: true, mode: 0o700 });
    mkdirSync(paths.sessions, { recursive: true, mode: 0o700 });
    mkdirSync(dirname(paths.log), { recursive: true, mode: 0o700 });
    mkdirSync(paths.cache, { recursive: true, mode: 0o700 });
    chmodSync(paths.home, 0o700);
    // Root bypasses permissions but not a read-only or full file system, so a real write is tried. Nothing is locked
    // yet, and simultaneous commands each start a daemon: each uses its own file.
    const probe = `${paths.home}/.write-test-${randomBytes(6).toString("hex")}`;
    writeFileSync(probe, "x".repeat(4096), { mode: 0o600 });
    rmSync(probe);
    fillReserve(paths);
  } catch (error) {
    throw explain(error, paths.home);
  }
}

function explain(error: unknown, home: string): AoError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new AoError({
      code: "disk-full",
      message: `The disk that holds ${home} is full.`,
      hint: "Free some space, or choose another folder with AO_HOME.",
      cause: error,
    });
  }
  return new AoError({
    code: "store-unwritable",
    message: `The state folder ${home} cannot be written (${code}).`,
    hint: "Make it writable for you, or choose another folder with AO_HOME.",
    cause: error,
  });
}

/** The main token; created on the first start, readable only by the user. */
export function readOrMakeToken(paths: HomePaths): string {
  if (existsSync(paths.token)) return readFileSync(paths.token, "utf8").trim();
  const token = `ao_${randomBytes(24).toString("hex")}`;
  writeFileSync(paths.token, `${token}\n`, { mode: 0o600 });
  return token;
}

/** Named tokens, stored as hashes in one small file. */
export function tokenFile(paths: HomePaths): {
  load(): readonly StoredToken[];
  save(tokens: readonly StoredToken[]): void;
} {
  return {
    load: () => (existsSync(paths.tokens) ? JSON.parse(readFileSync(paths.tokens, "utf8")) : []),
    save: (tokens) => {
      writeFileSync(`${paths.tokens}.tmp`, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${paths.tokens}.tmp`, paths.tokens);
    },
  };
}
