import type { Client } from "../client/client.ts";
import { followListing } from "../views/live-listing.ts";
import type { Listing } from "../views/session-lines.ts";
import { pause } from "../views/watch.ts";
import type { BoardEvent } from "./state.ts";

/** A busy fleet changes many times a second; people read no faster than this. */
const SHOW_MS = 300;
const RETRY_MS = 1000;

export interface Feed {
  /** Reloads the list. */
  refresh(): void;
}

export interface FeedOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly tell: (event: BoardEvent) => void;
  readonly showStopped: () => boolean;
}

/** Keeps the list up to date with the daemon's stream of changes. */
export function startFeed({ client, signal, tell, showStopped }: FeedOptions): Feed {
  let listing: Listing | null = null;
  let timer: NodeJS.Timeout | null = null;
  let connection = new AbortController();
  const show = (): void => {
    timer = null;
    if (listing !== null && !signal.aborted) {
      tell({ type: "listed", sessions: listing.data, fleet: listing.fleet });
    }
  };
  const lost = (cause: unknown): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (!signal.aborted) tell({ type: "lost", reason: cause instanceof Error ? cause.message : String(cause) });
  };
  const listen = async (): Promise<void> => {
    const own = AbortSignal.any([signal, connection.signal]);
    const onLost = (): void => lost(new Error("the daemon is not running"));
    const options = { signal: own, onLost, onBack: show, returnLimitMs: Number.POSITIVE_INFINITY };
    let isFirst = true;
    for await (const next of followListing(client, { all: showStopped() }, options)) {
      listing = next;
      if (isFirst) show();
      else timer ??= setTimeout(show, SHOW_MS);
      isFirst = false;
    }
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      connection = new AbortController();
      await listen().catch(lost);
      if (!connection.signal.aborted) await pause(RETRY_MS, signal);
    }
    if (timer !== null) clearTimeout(timer);
  };
  void follow();
  return { refresh: () => connection.abort() };
}
