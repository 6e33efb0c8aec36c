import { closeSync, openSync } from "node:fs";
import Database from "libsql";
import { AoError } from "../core/errors.ts";
import { explainSqlite } from "./sqlite-error.ts";

/**
 * Takes the lock that allows one daemon per AO_HOME; null if another daemon holds it. Node has no flock; SQLite's
 * exclusive transaction takes an OS lock, which is released when the process dies.
 */
export function takeDaemonLock(file: string): { release(): void } | null {
  try {
    closeSync(openSync(file, "a", 0o600));
    const db = new Database(file, { timeout: 0 });
    try {
      db.exec("begin exclusive");
    } catch (error) {
      db.close();
      if (String((error as { code?: unknown }).code ?? error).includes("BUSY")) return null;
      throw error;
    }
    return { release: () => void db.close() };
  } catch (error) {
    const explained = explainSqlite(error, file);
    // The lock file holds no data, so a damaged one could be ignored; but removing it while another process holds it
    // would be wrong.
    if (explained.code !== "store-corrupt") throw explained;
    throw new AoError({
      code: "store-unwritable",
      message: `The lock file ${file} is damaged.`,
      hint: "Remove it while no daemon runs.",
      cause: error,
    });
  }
}
