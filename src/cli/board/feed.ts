import { sortSessions } from "../../protocol/fleet-order.ts";
import type { Client } from "../client/client.ts";
import { readEvents } from "../client/event-stream.ts";
import { pause } from "../views/watch.ts";
import type { BoardEvent } from "./state.ts";

/** A busy fleet has many events a second; people read no faster than this. */
const REFRESH_MS = 300;
/** What agents are doing changes without an event. */
const ACTIVITY_MS = 2000;
const RETRY_MS = 1000;

export interface Feed {
  /** Reads the list anew, now or as soon as the last reading is over. */
  refresh(): void;
}

export interface FeedOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly tell: (event: BoardEvent) => void;
  readonly showStopped: () => boolean;
}

/** Keeps the list up to date: the daemon's events say when to read it again, and the clock while agents work. */
export function startFeed({ client, signal, tell, showStopped }: FeedOptions): Feed {
  let isReading = false;
  let isAsked = false;
  let isAnyWorking = false;
  const list = async (): Promise<number> => {
    const input = showStopped() ? { all: true } : {};
    const { data, fleet } = await client.call("GET /api/sessions", { input });
    isAnyWorking = data.some(({ status }) => status === "working");
    tell({ type: "listed", sessions: sortSessions(data), fleet });
    return fleet.position;
  };
  const lost = (cause: unknown): void => {
    if (!signal.aborted) tell({ type: "lost", reason: cause instanceof Error ? cause.message : String(cause) });
  };
  const refresh = async (): Promise<void> => {
    isAsked = true;
    if (isReading) return;
    isReading = true;
    while (isAsked && !signal.aborted) {
      isAsked = false;
      await list().catch(lost);
      await pause(REFRESH_MS, signal);
    }
    isReading = false;
  };
  // Each connection begins with a list, so that nothing is missed between two of them.
  const listen = async (): Promise<void> => {
    const since = await list();
    const connection = new AbortController();
    const onLost = (): void => {
      lost(new Error("the daemon is not running"));
      connection.abort();
    };
    const both = AbortSignal.any([signal, connection.signal]);
    for await (const _ of readEvents(client, { since, follow: true, signal: both, onLost })) void refresh();
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      await listen().catch(lost);
      await pause(RETRY_MS, signal);
    }
  };
  const followActivity = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(ACTIVITY_MS, signal);
      if (isAnyWorking) await refresh();
    }
  };
  void follow();
  void followActivity();
  return { refresh: () => void refresh() };
}
