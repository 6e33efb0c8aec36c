import { join } from "node:path";
import { openSqliteStore } from "../../src/platform/sqlite-store.ts";

/** How much of the log is shown. */
const SHOWN = 25;

/** The last events of a daemon's log, one per line, for the message of a test that waited in vain. */
export async function lastEvents({ home }: { readonly home: string }): Promise<string> {
  const store = openSqliteStore(join(home, "ao.db"));
  try {
    const events = await store.read(0, Number.MAX_SAFE_INTEGER);
    const shown = events.slice(-SHOWN).map(({ at, stream, event }) => `${at} ${stream} ${JSON.stringify(event)}`);
    return shown.map((line) => line.slice(0, 300)).join("\n");
  } finally {
    await store.close();
  }
}
