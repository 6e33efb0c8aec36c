import { toQuery } from "../../protocol/request.ts";
import type { LiveMessage } from "../../protocol/views/live.ts";
import { pause } from "../views/watch.ts";
import { type Client, unreachable } from "./client.ts";
import {
  isLost,
  openServerEvents,
  parseEvents,
  RETRY_MS,
  RETURN_LIMIT_MS,
  type ServerMessage,
} from "./event-stream.ts";

export interface LiveOptions {
  /** The position that a list came with; absent: from now on. */
  readonly since?: number;
  readonly signal: AbortSignal;
  /** Called when the daemon is gone; the stream continues where it was once the daemon is back. */
  readonly onLost?: () => void;
  /** Called when it is back. */
  readonly onBack?: () => void;
  /** How long to wait for a daemon that is gone. */
  readonly returnLimitMs?: number;
}

/** A message, and whether it is the last of its batch. */
export type LiveNews = LiveMessage & { readonly isLast: boolean };

/** Changed views as they arrive, across daemon restarts, until the signal. */
export async function* readLive(client: Client, options: LiveOptions): AsyncGenerator<LiveNews> {
  const { signal, returnLimitMs = RETURN_LIMIT_MS } = options;
  const loss = createLoss(options);
  let since: string | undefined = options.since?.toString();
  while (!signal.aborted) {
    try {
      const response = await openServerEvents(client, `/api/live${toQuery({ since })}`, signal);
      loss.end();
      for await (const { id, event, data } of parseEvents(response)) {
        since = id ?? since;
        yield toNews({ id, event, data });
      }
      loss.begin();
    } catch (cause) {
      if (signal.aborted) return;
      if (!isLost(cause)) throw cause;
      if (loss.begin() > returnLimitMs) throw unreachable(client.paths, cause);
    }
    await pause(RETRY_MS, signal);
  }
}

function toNews({ id, event, data }: ServerMessage): LiveNews {
  return { event, data, isLast: id !== null || event === "signal" } as LiveNews;
}

interface Loss {
  /** The daemon is gone; returns for how long. */
  begin(): number;
  end(): void;
}

function createLoss({ onLost, onBack }: LiveOptions): Loss {
  let lostAt: number | null = null;
  return {
    begin: () => {
      if (lostAt === null) onLost?.();
      lostAt ??= performance.now();
      return performance.now() - lostAt;
    },
    end: () => {
      if (lostAt !== null) onBack?.();
      lostAt = null;
    },
  };
}
