import { isRunOver, type SessionState } from "../../core/session/state.ts";
import { endOf, type Part, partAfter, partBefore } from "../../core/transcript/merge.ts";
import type { TranscriptItem, TranscriptPage } from "../../protocol/views/transcript.ts";
import type { Actions } from "../actions.ts";
import { findSession } from "../find-session.ts";
import { toTime } from "../time.ts";
import { streamsOf } from "../timeline.ts";
import { formatCursor, parseCursor, toKeys, toPlace } from "./cursor.ts";
import { type OutputEntry, type OutputForm, toContent } from "./output-source.ts";
import { type Line, readTexts } from "./read-texts.ts";
import { createSessionIndex, type EventEntry, type SessionIndex } from "./session-index.ts";

export interface TranscriptQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The transcripts of all sessions. */
export interface Transcripts {
  /** The newest items, or those after or before a cursor. */
  read(sessionId: string, query: TranscriptQuery): Promise<TranscriptPage>;
}

/** How many sessions' indexes are kept; rebuilding one means reading its whole output. */
const KEPT_SESSIONS = 30;
const MAX_PAGE_BYTES = 512 * 1024;

/** Transcripts, read from the log and the runs' files. Nothing is read twice for the next page. */
export function createTranscripts(
  actions: Pick<Actions, "engine" | "store" | "pullRequests" | "runFiles">,
): Transcripts {
  const { engine, store, pullRequests, runFiles } = actions;
  const kept = new Map<string, { readonly index: SessionIndex; busy: Promise<void> }>();

  const runDirOf =
    (id: string) =>
    (run: number): string =>
      runFiles.runDir(id, run);

  const open = (id: string): { readonly index: SessionIndex; busy: Promise<void> } => {
    const known = kept.get(id) ?? {
      index: createSessionIndex({ store, fs: runFiles.fs, runDir: runDirOf(id) }),
      busy: Promise.resolve(),
    };
    kept.delete(id);
    kept.set(id, known);
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT_SESSIONS))) kept.delete(oldest);
    return known;
  };

  const update = (index: SessionIndex, session: SessionState): Promise<void> => {
    const position = engine.lastPosition();
    return index.update({
      position,
      streams: streamsOf(engine.world, session.id),
      lastRun: session.run.n,
      isLastOver: isRunOver(session.run) || session.phase === "stopped",
      form: FORMS[session.input],
    });
  };

  const toItem = async (session: SessionState, entry: Line | EventEntry): Promise<TranscriptItem> => {
    if ("draft" in entry) {
      const content = await entry.draft(pullRequests.textOf);
      return { id: `e${entry.key}`, at: toTime(entry.happenedAt), ...content };
    }
    const { stream, run, offset, text } = entry;
    const { at, content } = toContent(text, stream, FORMS[session.input]);
    return { id: `${stream}${run}.${offset}`, at: at === null ? null : toTime(at), ...content };
  };

  return {
    read: async (sessionId, { cursor, limit }) => {
      const session = findSession(engine.world, sessionId);
      const opened = open(session.id);
      const before = opened.busy;
      opened.busy = before.then(() => update(opened.index, session));
      // A failed read invalidates the index: the next one starts over.
      await opened.busy.catch((error: unknown) => {
        kept.delete(session.id);
        throw error;
      });
      const { events, output } = opened.index;
      const sources = [output.entries.out, output.entries.err, events] as const;
      const part = choose(sources, { cursor, limit });
      const lines = await readTexts({ fs: runFiles.fs, runDir: runDirOf(session.id) }, part.entries);
      const data = await Promise.all(lines.map((entry) => toItem(session, entry)));
      const isAtEnd = part.end.every((count, which) => count === sources[which]?.length);
      return {
        data,
        cursor: formatCursor({ direction: "after", keys: toKeys(sources, part.end) }),
        older: part.start.every((count) => count === 0)
          ? null
          : formatCursor({ direction: "before", keys: toKeys(sources, part.start) }),
        over: isAtEnd && session.phase === "stopped",
      };
    },
  };
}

const FORMS: Readonly<Record<SessionState["input"], OutputForm>> = {
  inbox: "lines",
  terminal: "terminal",
  file: "plain",
};

type Sources = readonly [readonly OutputEntry[], readonly OutputEntry[], readonly EventEntry[]];

function choose(sources: Sources, { cursor, limit }: TranscriptQuery): Part<OutputEntry | EventEntry> {
  const limits = { count: limit, bytes: MAX_PAGE_BYTES };
  if (cursor === undefined) return partBefore<OutputEntry | EventEntry>(sources, endOf(sources), limits);
  const { direction, keys } = parseCursor(cursor, sources.length);
  const place = toPlace(sources, keys);
  const part = direction === "after" ? partAfter : partBefore;
  return part<OutputEntry | EventEntry>(sources, place, limits);
}
