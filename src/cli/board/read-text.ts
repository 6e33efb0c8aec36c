import type { Client } from "../client/client.ts";
import { colorDiff } from "../commands/diff.ts";
import { readTranscript } from "../views/follow-transcript.ts";
import { loadMarkdown } from "../views/markdown.ts";
import type { Style } from "../views/style.ts";
import { GUTTER } from "../views/transcript-parts.ts";
import { createTranscriptView, type TranscriptView } from "../views/transcript-view.ts";

/** What has been read of a session's transcript so far. */
interface Known {
  readonly sessionId: string;
  readonly view: TranscriptView;
  lines: readonly string[];
  cursor: string;
}

/** Older items are left to `ao logs`. */
const ITEMS = 1000;
/** Of a conversation that goes on for hours the beginning is dropped. */
const MAX_LINES = 20_000;
/** How long the daemon may hold a request until something happens. */
const WAIT_MS = 25_000;

export interface TextReader {
  /** The changes of a session, colored like git's. */
  diff(sessionId: string): Promise<readonly string[]>;
  /** Its conversation; fetches only what is new since the last call. */
  transcript(sessionId: string): Promise<readonly string[]>;
  /** Waits for something new in the conversation that was read last; false: nothing more will come. */
  untilMore(sessionId: string): Promise<boolean>;
}

/** Reads the texts that fill the screen; `columns` is their maximum width. */
export function createTextReader(client: Client, style: Style, columns: () => number): TextReader {
  let known: Known | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const open = async (sessionId: string): Promise<Known> => {
    const width = columns();
    const markdown = await loadMarkdown({ style, width: width - GUTTER });
    const view = createTranscriptView({ style, sessionId, width, full: false, markdown });
    const { items, cursor, hasOlder } = await readTranscript(client, sessionId, ITEMS);
    const older = hasOlder ? [style.dim(`earlier: ao logs ${sessionId}`)] : [];
    return { sessionId, view, lines: [...older, ...view.show(items)], cursor };
  };
  const readOn = async (reading: Known): Promise<void> => {
    const { sessionId: id } = reading;
    const input = { cursor: reading.cursor };
    const { data, cursor } = await client.call("GET /api/sessions/:id/transcript", { params: { id }, input });
    // A page without items may still have read on, over output with nothing to show.
    const hasMoved = cursor !== reading.cursor;
    reading.cursor = cursor;
    reading.lines = [...reading.lines, ...reading.view.show(data)].slice(-MAX_LINES);
    if (hasMoved) await readOn(reading);
  };
  const read = async (sessionId: string): Promise<readonly string[]> => {
    if (known?.sessionId === sessionId) await readOn(known);
    else known = await open(sessionId);
    return known.lines.length === 0 ? [style.dim("Nothing yet.")] : known.lines;
  };

  return {
    async diff(sessionId) {
      const { diff } = await client.call("GET /api/sessions/:id/diff", { params: { id: sessionId } });
      if (diff.trim() === "") return [style.dim("No changes yet.")];
      return colorDiff(diff.replaceAll("\t", "    ").trimEnd(), style).split("\n");
    },
    transcript(sessionId) {
      // One after another, so that nothing is shown twice.
      const next = last.then(() => read(sessionId));
      last = next.catch(() => undefined);
      return next;
    },
    async untilMore(id) {
      if (known?.sessionId !== id) return false;
      const input = { cursor: known.cursor, limit: 1, wait: WAIT_MS };
      return !(await client.call("GET /api/sessions/:id/transcript", { params: { id }, input })).over;
    },
  };
}
