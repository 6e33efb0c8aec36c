import { buildRequest } from "../../protocol/request.ts";
import type { TranscriptItem, TranscriptPage } from "../../protocol/views/transcript.ts";
import type { Client } from "../client/client.ts";
import { followPages } from "../client/follow-pages.ts";

const PAGE = 200;

/** The last items of a transcript, oldest first, and the cursor to continue from. */
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

/** The items after a cursor as they arrive, across daemon restarts, until the signal or the session stops. */
export async function* followTranscript(
  client: Client,
  id: string,
  start: { readonly cursor: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly TranscriptItem[]> {
  const pathOf = (cursor: string, wait: number): string =>
    buildRequest("GET /api/sessions/:id/transcript", { id }, { cursor, limit: PAGE, wait }).path;
  for await (const { data } of followPages<TranscriptPage>(client, { ...start, pathOf }))
    if (data.length > 0) yield data;
}
