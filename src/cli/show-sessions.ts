import type { SessionView } from "../protocol/view.ts";
import type { Client } from "./client.ts";
import { print, printJson } from "./print.ts";
import { renderSessions } from "./session-table.ts";
import { style } from "./style.ts";

const WATCH_MS = 1000;

export interface SessionFilter {
  readonly project?: string | undefined;
  readonly all?: boolean | undefined;
}

export interface ShowOptions extends SessionFilter {
  readonly watch?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Prints the table of sessions, once or until Ctrl+C. */
export async function showSessions(client: Client, options: ShowOptions): Promise<void> {
  if (options.watch === true) {
    const { untilInterrupted } = await import("./watch.ts");
    return watchSessions(client, options, untilInterrupted());
  }
  const sessions = await fetchSessions(client, options);
  if (options.json === true) printJson({ data: sessions });
  else print(sessionLines(sessions, options).join("\n"));
  if (options.json !== true) await keepRows(client, sessions);
}

/** The sessions that a filter lets through. */
export async function fetchSessions(client: Client, filter: SessionFilter): Promise<readonly SessionView[]> {
  const input = {
    ...(filter.project === undefined ? {} : { project: filter.project }),
    ...(filter.all === true ? { all: true } : {}),
  };
  return (await client.call("GET /api/sessions", { input })).data;
}

/** Keeps the table up to date until the signal comes. */
export async function watchSessions(client: Client, options: ShowOptions, signal: AbortSignal): Promise<void> {
  // Only those who watch pay for loading this.
  const { createLiveBlock, pause } = await import("./watch.ts");
  const show = createLiveBlock(process.stdout);
  let last = "";
  while (!signal.aborted) {
    const sessions = await fetchSessions(client, options);
    const key = JSON.stringify(
      sessions.map((session) => [session.id, session.status, session.evidence, session.pullRequests]),
    );
    if (options.json === true) {
      if (key !== last) printJson({ data: sessions });
    } else if (process.stdout.isTTY || key !== last) {
      show(sessionLines(sessions, options));
      if (key !== last) await keepRows(client, sessions);
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

function sessionLines(sessions: readonly SessionView[], filter: SessionFilter): readonly string[] {
  if (sessions.length === 0) {
    const ended = filter.all === true ? "" : " (--all shows stopped ones too)";
    return [`no sessions${ended}; start one with: ao new "title"`];
  }
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
  return renderSessions(sessions, { now: Date.now(), style: style(process.stdout), columns });
}
