import type { Client } from "../../client/client.ts";
import { pause } from "../../views/watch.ts";

const POLL_MS = 250;
/** How often a quiet session is asked whether it still goes on. */
const STATUS_POLLS = 8;
const MAX_TAIL = 4 * 1024 * 1024;

/** The end of a session's output so far, and where to go on. */
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

/** The output after a cursor, until the signal or until the session has stopped and all is read. */
export async function* followOutput(
  client: Client,
  id: string,
  start: { readonly cursor: string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  let cursor = start.cursor;
  let isOver = false;
  for (let quiet = 0; !start.signal.aborted; ) {
    const part = await client.call("GET /api/sessions/:id/output", { params: { id }, input: { cursor } });
    cursor = part.cursor;
    if (part.text !== "") {
      quiet = 0;
      yield part.text;
      continue;
    }
    if (isOver) return;
    quiet += 1;
    if (quiet % STATUS_POLLS === 0) {
      const { status } = await client.call("GET /api/sessions/:id/status", { params: { id } });
      // What came between the last look and the stop is read once more.
      isOver = status === "stopped";
    }
    if (!isOver) await pause(POLL_MS, start.signal);
  }
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
