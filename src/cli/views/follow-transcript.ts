import { buildRequest, readAnswer } from "../../protocol/request.ts";
import type { TranscriptItem, TranscriptPage } from "../../protocol/views/transcript.ts";
import { type Client, unreachable } from "../client/client.ts";
import { isLost } from "../client/event-stream.ts";
import { openStream } from "../client/http-stream.ts";
import { pause } from "./watch.ts";

/** How long the daemon may keep a request until something happens. */
const WAIT_MS = 25_000;
const SILENCE_MS = 60_000;
/** A daemon that restarts is back within this time. */
const RETURN_LIMIT_MS = 15_000;
const RETRY_MS = 200;
const PAGE = 200;

/** The last items of a transcript, oldest first, and where to go on. */
export async function readTranscript(
  client: Client,
  id: string,
  count: number,
): Promise<{ readonly items: readonly TranscriptItem[]; readonly cursor: string; readonly hasOlder: boolean }> {
  const limit = Math.max(1, Math.min(PAGE, count));
  const last = await client.call("GET /api/sessions/:id/transcript", { params: { id }, input: { limit } });
  let items = last.data;
  let { older } = last;
  while (older !== null && items.length < count) {
    const page: TranscriptPage = await client.call("GET /api/sessions/:id/transcript", {
      params: { id },
      input: { cursor: older, limit: Math.min(PAGE, count - items.length) },
    });
    items = [...page.data, ...items];
    older = page.older;
  }
  const shown = count === 0 ? [] : items.slice(-count);
  return { items: shown, cursor: last.cursor, hasOlder: older !== null || shown.length < items.length };
}

/** What comes after a cursor, as it comes, across restarts of the daemon, until the signal or the session's stop. */
export async function* followTranscript(
  client: Client,
  id: string,
  start: { readonly cursor: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly TranscriptItem[]> {
  const { signal } = start;
  let { cursor } = start;
  let lostAt: number | null = null;
  while (!signal.aborted) {
    try {
      const page = await requestPage(client, { id, cursor, signal });
      lostAt = null;
      cursor = page.cursor;
      if (page.data.length > 0) yield page.data;
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

async function requestPage(
  client: Client,
  { id, cursor, signal }: { readonly id: string; readonly cursor: string; readonly signal: AbortSignal },
): Promise<TranscriptPage> {
  const input = { cursor, limit: PAGE, wait: WAIT_MS };
  const { path } = buildRequest("GET /api/sessions/:id/transcript", { id }, input);
  const response = await openStream({ socket: client.paths.socket, path, timeoutMs: SILENCE_MS, signal });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return readAnswer({ status: response.statusCode ?? 0, text }) as TranscriptPage;
}
