import type { Api } from "../protocol/api.ts";
import { countSessions, sortSessions } from "../protocol/fleet-order.ts";
import type { SessionView } from "../protocol/view.ts";
import type { Client } from "./client.ts";
import { print, printJson } from "./print.ts";
import { describeFleet } from "./session-row.ts";
import { renderSessions } from "./session-table.ts";
import { style } from "./style.ts";
import { cut } from "./text-width.ts";

const WATCH_MS = 1000;

export interface SessionFilter {
  readonly project?: string | undefined;
  readonly all?: boolean | undefined;
}

export interface ShowOptions extends SessionFilter {
  readonly watch?: boolean | undefined;
  readonly json?: boolean | undefined;
}

type Listing = Api["GET /api/sessions"]["out"];

/** Prints the table of sessions, once or until Ctrl+C. */
export async function showSessions(client: Client, options: ShowOptions): Promise<void> {
  if (options.watch === true) {
    const { untilInterrupted } = await import("./watch.ts");
    return watchSessions(client, options, untilInterrupted());
  }
  const listing = await fetchListing(client, options);
  if (options.json === true) printJson({ data: listing.data });
  else print(sessionLines(listing, options).join("\n"));
  if (options.json !== true) await keepRows(client, listing.data);
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

// What is printed in place must not be taller than the terminal, and the summary is worth more than the last rows.
function keepInView(table: readonly string[]): readonly string[] {
  const room = Math.max(3, (process.stdout.rows || 24) - 3);
  if (table.length <= room) return table;
  return [...table.slice(0, room - 1), `… ${table.length - room + 1} more`];
}

function sessionLines({ data, fleet }: Listing, filter: ShowOptions): readonly string[] {
  if (data.length === 0) {
    const paused = fleet.paused ? "Paused; `ao resume` continues. " : "";
    const hint = filter.all === true ? "" : " (--all lists stopped ones)";
    return [`${paused}no sessions${hint}. Start one: ao new "title"`];
  }
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
  const paint = style(process.stdout);
  const table = renderSessions(data, {
    now: Date.now(),
    style: paint,
    columns,
  });
  const summary = describeFleet(countSessions(data), fleet);
  if (columns === undefined) return [...table, "", summary];
  return [...(filter.watch === true ? keepInView(table) : table), "", cut(summary, columns)];
}
