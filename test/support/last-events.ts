import { join } from "node:path";
import { openSqliteStore } from "../../src/platform/sqlite-store.ts";
import { listOrphans } from "./judge-leftovers.ts";

/** How much of the log is shown. */
const SHOWN = 25;

/**
 * For the message of a test that waited in vain, one per line: the last events of a daemon's log, the effects that are open, and
 * the processes that run.
 */
export async function lastEvents({ dir, home }: { readonly dir: string; readonly home: string }): Promise<string> {
  const store = openSqliteStore(join(home, "ao.db"));
  try {
    const events = await store.read(0, Number.MAX_SAFE_INTEGER);
    const shown = events.slice(-SHOWN).map(({ at, stream, event }) => `${at} ${stream} ${JSON.stringify(event)}`);
    const { intents } = await store.load();
    const open = intents.map(({ id, lane, status }) => `open effect ${id} (${status}, lane ${lane})`);
    const processes = listOrphans(dir, home).map(({ pid, command }) => `process ${pid}: ${command}`);
    return [...shown, ...open, ...processes].map((line) => line.slice(0, 300)).join("\n");
  } finally {
    await store.close();
  }
}
