import { readAnswer } from "../../protocol/request.ts";
import { pause } from "../views/watch.ts";
import { type Client, unreachable } from "./client.ts";
import { isLost, RETRY_MS, RETURN_LIMIT_MS } from "./event-stream.ts";
import { openStream } from "./http-stream.ts";

/** How long the daemon may hold a request until something happens. */
const WAIT_MS = 25_000;
const SILENCE_MS = 60_000;

interface Page {
  readonly cursor: string;
  /** No page follows. */
  readonly over: boolean;
}

interface FollowOptions {
  readonly cursor: string;
  readonly signal: AbortSignal;
  /** The path of a call that waits for what comes after a cursor. */
  readonly pathOf: (cursor: string, waitMs: number) => string;
}

/** The pages after a cursor as they arrive, across daemon restarts, until the signal or the last page. */
export async function* followPages<P extends Page>(
  client: Pick<Client, "paths">,
  options: FollowOptions,
): AsyncGenerator<P> {
  const { signal, pathOf } = options;
  let { cursor } = options;
  let lostAt: number | null = null;
  while (!signal.aborted) {
    try {
      const page = await request<P>(client, pathOf(cursor, WAIT_MS), signal);
      lostAt = null;
      cursor = page.cursor;
      yield page;
      if (page.over) return;
    } catch (cause) {
      if (signal.aborted) return;
      if (!isLost(cause)) throw cause;
      lostAt ??= performance.now();
      if (performance.now() - lostAt > RETURN_LIMIT_MS) throw unreachable(client.paths, cause);
      await pause(RETRY_MS, signal);
    }
  }
}

async function request<P>(client: Pick<Client, "paths">, path: string, signal: AbortSignal): Promise<P> {
  const response = await openStream({ socket: client.paths.socket, path, timeoutMs: SILENCE_MS, signal });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return readAnswer({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }) as P;
}
