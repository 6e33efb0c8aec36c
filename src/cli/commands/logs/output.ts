import { buildRequest } from "../../../protocol/request.ts";
import type { OutputView } from "../../../protocol/views/session.ts";
import type { Client } from "../../client/client.ts";
import { followPages } from "../../client/follow-pages.ts";

const MAX_TAIL = 4 * 1024 * 1024;

/** The end of a session's output so far, and the cursor to continue from. */
export async function readTail(
  client: Client,
  id: string,
  lines: number,
): Promise<{ readonly text: string; readonly cursor: string }> {
  let text = "";
  let cursor: string | undefined;
  while (true) {
    const part = await client.call("GET /api/sessions/:id/output", {
      params: { id },
      input: cursor === undefined ? { last: MAX_TAIL } : { cursor },
    });
    cursor = part.cursor;
    if (part.text === "") return { text: lastLines(text, lines), cursor };
    text = (text + part.text).slice(-MAX_TAIL);
  }
}

/**
 * The output after a cursor as it arrives, until the signal or until the session has stopped and everything is read.
 */
export async function* followOutput(
  client: Client,
  id: string,
  start: { readonly cursor: string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const pathOf = (cursor: string, wait: number): string =>
    buildRequest("GET /api/sessions/:id/output", { id }, { cursor, wait }).path;
  for await (const { text } of followPages<OutputView>(client, { ...start, pathOf })) if (text !== "") yield text;
}

/** The last lines of a text; an end without a newline counts as a line. */
export function lastLines(text: string, count: number): string {
  let at = text.length;
  if (text.endsWith("\n")) at -= 1;
  for (let found = 0; found < count; found += 1) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) return text;
    if (at === 0) return found + 1 === count ? text.slice(1) : text;
  }
  return text.slice(at + 1);
}
