import { setTimeout as pause } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { Api } from "./api.ts";

export interface StreamOptions {
  readonly api: Api;
  onEvent(event: unknown): void;
  /** It reconnected after a gap, in which events may have been missed. */
  onGap(): void;
  /** The server no longer sends anything. */
  onLost(): void;
}

/** The server's events. */
export interface Stream {
  /** Resolves when the first connection is up: from then on nothing is missed. */
  readonly connected: Promise<void>;
  stop(): void;
}

/** The server sends a greeting at once, and then a heartbeat every ten seconds. */
const GREETING_MS = 15_000;
const SILENCE_MS = 35_000;
const PAUSE_MS = 250;
/** Consecutive connections without any data. */
const MAX_MUTE = 4;
/** A server whose event exceeds this is dropped. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

/** Follows a server's events until the caller stops it, reconnecting as often as needed. */
export function followEvents(options: StreamOptions): Stream {
  const stopped = new AbortController();
  let hasBegun: () => void = () => undefined;
  const connected = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });

  const follow = async (isFirst: boolean): Promise<boolean> => {
    let hasSpoken = false;
    const silent = new AbortController();
    const signal = AbortSignal.any([stopped.signal, silent.signal]);
    let timer = setTimeout(() => silent.abort(), GREETING_MS);
    const decoder = new TextDecoder();
    const parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ data }) => {
        if (!hasSpoken && !isFirst) options.onGap();
        hasSpoken = true;
        hasBegun();
        options.onEvent(JSON.parse(data));
      },
    });
    try {
      for await (const chunk of await options.api.follow("/event", signal)) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
    } catch {
      // The next connection shows whether the server is still there.
    } finally {
      clearTimeout(timer);
    }
    return hasSpoken;
  };

  const run = async (): Promise<void> => {
    let isFirst = true;
    for (let mute = 0; mute < MAX_MUTE; mute += 1) {
      const hasSpoken = await follow(isFirst);
      if (stopped.signal.aborted) return;
      if (hasSpoken) [mute, isFirst] = [0, false];
      await pause(PAUSE_MS);
    }
    options.onLost();
  };
  void run();
  return { connected, stop: () => stopped.abort() };
}
