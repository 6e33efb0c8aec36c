import { setTimeout as pause } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { Api } from "./api.ts";

export interface StreamOptions {
  readonly api: Api;
  onEvent(event: unknown): void;
  /** It listens again after a gap, in which events may have been missed. */
  onGap(): void;
  /** The server does not speak any more. */
  onLost(): void;
}

/** The server's events. */
export interface Stream {
  /** Settles when the first connection is there: from then on nothing is missed. */
  readonly connected: Promise<void>;
  stop(): void;
}

/** It greets at once, and then sends a sign of life every ten seconds. */
const GREETING_MS = 15_000;
const SILENCE_MS = 35_000;
const PAUSE_MS = 250;
/** Connections in a row without a word. */
const MAX_MUTE = 4;
/** A server that sends more without an end of it is not followed any further. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

/** Follows the events of a server until the caller stops it, reconnecting as often as needed. */
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
      // The next connection tells whether the server is still there.
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
