import type { SessionView } from "../../protocol/views/session.ts";
import type { Client } from "../client/client.ts";
import { guardStdout } from "../write-out.ts";
import { fetchListing } from "./fetch-listing.ts";
import { print, printJson } from "./print.ts";
import type { Listing, SessionFilter, ShowOptions } from "./session-lines.ts";

/** The table shows ages, so it changes even if nothing happens. */
const TICK_MS = 1000;

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

/** Loads the rendering code while the daemon answers: the event loop sends the request first. */
async function loadRendering(): Promise<typeof import("./session-lines.ts")> {
  await new Promise((resolve) => setImmediate(resolve));
  guardStdout();
  return import("./session-lines.ts");
}

/** The sessions that match a filter. */
export async function fetchSessions(client: Client, filter: SessionFilter): Promise<readonly SessionView[]> {
  return (await fetchListing(client, filter)).data;
}

/** Keeps the table up to date until the signal comes. */
export async function watchSessions(client: Client, options: ShowOptions, signal: AbortSignal): Promise<void> {
  // Loaded only for watching.
  const { createLiveBlock } = await import("./watch.ts");
  const { followListing } = await import("./live-listing.ts");
  const { sessionLines } = await import("./session-lines.ts");
  guardStdout();
  const show = createLiveBlock(process.stdout);
  let listing: Listing | null = null;
  let last = "";
  const redraw = (): void => {
    if (listing !== null) show(sessionLines(listing, options));
  };
  const tick = process.stdout.isTTY && options.json !== true ? setInterval(redraw, TICK_MS) : undefined;
  try {
    for await (const next of followListing(client, options, { signal })) {
      listing = next;
      const key = JSON.stringify(
        next.data.map(({ id, status, evidence, pullRequests }) => [id, status, evidence, pullRequests]),
      );
      if (key !== last) {
        if (options.json === true) printJson({ data: next.data });
        else await keepRows(client, next.data);
      }
      if (options.json !== true && (process.stdout.isTTY || key !== last)) redraw();
      last = key;
    }
  } finally {
    clearInterval(tick);
  }
}

/** `@2` refers to what a person last saw on this terminal. */
async function keepRows(client: Client, sessions: readonly SessionView[]): Promise<void> {
  if (!process.stdout.isTTY) return;
  const { rememberRows } = await import("./rows.ts");
  rememberRows(
    client.paths,
    sessions.map(({ id }) => id),
  );
}
