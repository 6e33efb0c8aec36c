import { sortSessions } from "../../protocol/fleet-order.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import type { Client } from "../client/client.ts";
import { guardStdout, print, printJson } from "./print.ts";
import type { Listing, SessionFilter, ShowOptions } from "./session-lines.ts";

const WATCH_MS = 1000;

/** Prints the table of sessions, once or until Ctrl+C. */
export async function showSessions(client: Client, options: ShowOptions): Promise<void> {
  if (options.watch === true) {
    const { untilInterrupted } = await import("./watch.ts");
    return watchSessions(client, options, untilInterrupted());
  }
  const [listing, { sessionLines }] = await Promise.all([fetchListing(client, options), loadRendering()]);
  if (options.json === true) printJson({ data: listing.data });
  else print(sessionLines(listing, options).join("\n"));
  if (options.json !== true) await keepRows(client, listing.data);
}

/** Loads what prints the answer while the daemon makes it: the event loop writes the request before it comes to this. */
async function loadRendering(): Promise<typeof import("./session-lines.ts")> {
  await new Promise((resolve) => setImmediate(resolve));
  guardStdout();
  return import("./session-lines.ts");
}

/** The sessions that a filter lets through. */
export async function fetchSessions(client: Client, filter: SessionFilter): Promise<readonly SessionView[]> {
  return (await fetchListing(client, filter)).data;
}

async function fetchListing(client: Client, filter: SessionFilter): Promise<Listing> {
  const input = {
    ...(filter.project === undefined ? {} : { project: filter.project }),
    ...(filter.all === true ? { all: true } : {}),
  };
  const { data, fleet } = await client.call("GET /api/sessions", { input });
  return { data: sortSessions(data), fleet };
}

/** Keeps the table up to date until the signal comes. */
export async function watchSessions(client: Client, options: ShowOptions, signal: AbortSignal): Promise<void> {
  // Only those who watch pay for loading this.
  const { createLiveBlock, pause } = await import("./watch.ts");
  const { sessionLines } = await import("./session-lines.ts");
  guardStdout();
  const show = createLiveBlock(process.stdout);
  let last = "";
  while (!signal.aborted) {
    const listing = await fetchListing(client, options);
    const key = JSON.stringify(
      listing.data.map((session) => [session.id, session.status, session.evidence, session.pullRequests]),
    );
    if (options.json === true) {
      if (key !== last) printJson({ data: listing.data });
    } else if (process.stdout.isTTY || key !== last) {
      show(sessionLines(listing, options));
      if (key !== last) await keepRows(client, listing.data);
    }
    last = key;
    await pause(WATCH_MS, signal);
  }
}

/** What a person saw last on this terminal is what `@2` means. */
async function keepRows(client: Client, sessions: readonly SessionView[]): Promise<void> {
  if (!process.stdout.isTTY) return;
  const { rememberRows } = await import("./rows.ts");
  rememberRows(
    client.paths,
    sessions.map(({ id }) => id),
  );
}
