import type { QueryClient } from "@tanstack/react-query";
import type { LiveMessage } from "../../../src/protocol/views/live.ts";
import { freezeNow } from "../lib/now.ts";
import { applyMessages } from "./apply-messages.ts";
import { call } from "./call.ts";
import { setConnection } from "./connection.ts";
import { createRefresher } from "./refresh.ts";

/** Messages within this time update the page once. */
const GATHER_MS = 100;
/** How long the daemon may be gone before the page reports it. */
const LOST_MS = 3_000;
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000];

const EVENTS = ["session", "pull-request", "project", "inbox", "fleet", "signal", "start", "reset"] as const;

export interface LiveStream {
  /** Connects at once, without waiting for the next attempt. */
  retry(): void;
  close(): void;
}

/**
 * Follows the daemon from a log position and patches the cached data. After a reconnect it gets exactly what it missed.
 */
export function followLive(queries: QueryClient, since: number): LiveStream {
  let position = String(since);
  let source: EventSource | null = null;
  let failures = 0;
  let buffer: LiveMessage[] = [];
  const refresher = createRefresher(queries);
  const timers: { flush?: number; lost?: number; retry?: number } = {};

  const flush = (): void => {
    delete timers.flush;
    const messages = buffer;
    buffer = [];
    refresher.refresh(applyMessages(queries, messages, Number.parseInt(position, 10)));
  };
  const hear = (event: MessageEvent<string>): void => {
    if (event.lastEventId !== "") position = event.lastEventId;
    buffer.push({ event: event.type, data: JSON.parse(event.data) } as LiveMessage);
    timers.flush ??= window.setTimeout(flush, GATHER_MS);
    setConnection({ heardAt: Date.now() });
  };
  const connect = (): void => {
    clearTimeout(timers.retry);
    source?.close();
    source = new EventSource(`/api/live?since=${encodeURIComponent(position)}`);
    for (const name of EVENTS) source.addEventListener(name, hear);
    source.onopen = () => {
      failures = 0;
      clearTimeout(timers.lost);
      delete timers.lost;
      freezeNow(null);
      setConnection({ state: "live", heardAt: Date.now(), retryAt: null });
    };
    source.onerror = () => void lose(source?.readyState === EventSource.CLOSED);
  };
  const lose = async (wasRefused: boolean): Promise<void> => {
    source?.close();
    if (wasRefused && (await isSignedOut())) return setConnection({ state: "signed-out", retryAt: null });
    const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? LOST_MS;
    failures += 1;
    timers.retry = window.setTimeout(connect, wait);
    timers.lost ??= window.setTimeout(() => {
      freezeNow(Date.now() - LOST_MS);
      setConnection({ state: "lost" });
    }, LOST_MS);
    setConnection({ retryAt: Date.now() + wait });
  };
  // The lists have just been loaded.
  setConnection({ heardAt: Date.now() });
  connect();
  return {
    retry: connect,
    close: () => {
      source?.close();
      refresher.close();
      for (const timer of Object.values(timers)) clearTimeout(timer);
    },
  };
}

/** An event source does not report why it was refused; another call does. */
async function isSignedOut(): Promise<boolean> {
  try {
    await call("GET /api/projects");
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "unauthorized";
  }
}
