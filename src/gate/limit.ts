import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeLimit, ENFORCED_FILE, encodeLimit, LIMIT_FILE } from "../core/sandbox.ts";

const LOOK_MS = 500;

/** The only hosts that the daemon still allows; it changes the file while the sandbox runs. */
export interface Limit {
  /** As the file says now; null: all that the sandbox lists. */
  hosts(): readonly string[] | null;
  /** Calls back once for each change, then confirms to the daemon that it is enforced; returns a function that ends this. */
  follow(enforce: () => void): () => void;
}

/** Reads a limit from its folder. A missing file limits nothing; one that cannot be read allows nothing. */
export function openLimit(folder: string): Limit {
  const read = (): string => {
    try {
      return readFileSync(join(folder, LIMIT_FILE), "utf8");
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? encodeLimit(null) : encodeLimit([]);
    }
  };
  return {
    hosts: () => decodeLimit(read()),
    follow: (enforce) => {
      let confirmed: string | null = null;
      const look = (): void => {
        const text = read();
        if (text === confirmed) return;
        enforce();
        confirmed = confirm(folder, text) ? text : null;
      };
      look();
      // Polled, because a machine can run out of watches.
      const timer = setInterval(look, LOOK_MS).unref();
      return () => clearInterval(timer);
    },
  };
}

// On a full disk it is tried again; the daemon does not go on without it.
function confirm(folder: string, text: string): boolean {
  try {
    writeFileSync(join(folder, ENFORCED_FILE), text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
