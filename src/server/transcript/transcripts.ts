import { isRunOver, type SessionState } from "../../core/session/state.ts";
import type { TranscriptItem, TranscriptPage } from "../../protocol/views/transcript.ts";
import type { Actions } from "../actions.ts";
import { findSession } from "../find-session.ts";
import { createPace } from "../read-log.ts";
import { toTime } from "../time.ts";
import { streamsOf } from "../timeline.ts";
import { createTurnstile } from "../turnstile.ts";
import { createBlockCache } from "./block-cache.ts";
import { formatCursor } from "./cursor.ts";
import { LINE_BYTES } from "./output-block.ts";
import { type OutputForm, toContent } from "./output-content.ts";
import { openOutputReader } from "./output-reader.ts";
import { createOutputSource, type OutputSource } from "./output-source.ts";
import { createPrintTimes, type PrintTimes } from "./print-times.ts";
import { type PartQuery, readPart } from "./read-part.ts";
import { type Line, readTexts } from "./read-texts.ts";
import { createSessionIndex, type EventEntry, type SessionIndex } from "./session-index.ts";
import { createStartTimes } from "./start-time.ts";

/** The transcripts of all sessions. */
export interface Transcripts {
  /** The newest items, or those after or before a cursor. */
  read(sessionId: string, query: PartQuery): Promise<TranscriptPage>;
}

/** How many sessions' events are kept; reading them again is quick. */
const KEPT_SESSIONS = 30;
/** How many transcripts are read at the same time: each holds a few megabytes while it does. */
const AT_ONCE = 2;

interface Kept {
  readonly scope: string;
  readonly index: SessionIndex;
  readonly times: PrintTimes;
  /** One read after another, so that the next one finds what this one read. */
  busy: Promise<unknown>;
}

/** Transcripts, read from the log and the runs' files, from wherever a page begins. */
export function createTranscripts(
  actions: Pick<Actions, "engine" | "store" | "pullRequests" | "runFiles">,
): Transcripts {
  const { engine, store, pullRequests, runFiles } = actions;
  const kept = new Map<string, Kept>();
  const blocks = createBlockCache();
  const startTimes = createStartTimes();
  const turnstile = createTurnstile(Array.from({ length: AT_ONCE }, () => new Uint8Array(LINE_BYTES)));
  let opened = 0;

  const open = (id: string): Kept => {
    const known = kept.get(id) ?? {
      // A new name, so that nothing is mixed with what was read before.
      scope: `${id}#${opened++}`,
      ...{ index: createSessionIndex(store), times: createPrintTimes(), busy: Promise.resolve() },
    };
    kept.delete(id);
    kept.set(id, known);
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT_SESSIONS))) kept.delete(oldest);
    return known;
  };

  const readPage = async (
    entry: Kept,
    memory: Uint8Array,
    { sessionId, ...query }: PartQuery & { readonly sessionId: string },
  ): Promise<TranscriptPage> => {
    const session = findSession(engine.world, sessionId);
    const { index, scope, times } = entry;
    const pace = createPace();
    const streams = streamsOf(engine.world, session.id);
    await index.update({ streams, position: engine.lastPosition() }, pace).catch((error: unknown) => {
      // Half an update invalidates the index: the next read starts over.
      kept.delete(session.id);
      throw error;
    });
    const form = FORMS[session.input];
    const output = runFiles.output(session.id);
    // The output that led to the events was printed before them, so its end is looked up after them.
    const reader = openOutputReader(
      { scope, output, blocks, pace, memory, startTimes, times },
      {
        ...{ lastRun: session.run.n, isLastOver: isRunOver(session.run) || session.phase === "stopped", form },
        timeOf: index.timeOf,
      },
    );
    const source = createOutputSource({ reader, times });
    const part = await readPart({ source, index }, query);
    const lines = await readTexts(output, part.entries);
    const data: TranscriptItem[] = [];
    const tools = { source, textOf: pullRequests.textOf };
    for (const [which, line] of lines.entries()) {
      data.push(
        "draft" in line ? await toEventItem(line, part.outputKeys[which] ?? 0, tools) : toOutputItem(line, form),
      );
      if (pace.isDue()) await pace.rest();
    }
    return {
      data,
      cursor: formatCursor({ direction: "after", keys: part.end }),
      older: part.isStart ? null : formatCursor({ direction: "before", keys: part.start }),
      over: part.isEnd && session.phase === "stopped",
    };
  };

  return {
    read: (sessionId, query) => {
      const entry = open(findSession(engine.world, sessionId).id);
      const page = entry.busy.then(() => turnstile((memory) => readPage(entry, memory, { sessionId, ...query })));
      entry.busy = page.catch(() => undefined);
      return page;
    },
  };
}

const FORMS: Readonly<Record<SessionState["input"], OutputForm>> = {
  inbox: "lines",
  terminal: "terminal",
  file: "plain",
};

interface ItemTools {
  readonly source: OutputSource;
  readonly textOf: Actions["pullRequests"]["textOf"];
}

async function toEventItem(entry: EventEntry, outputKey: number, tools: ItemTools): Promise<TranscriptItem> {
  const { source, textOf } = tools;
  const isRepeated = (summary: string): Promise<boolean> => source.isRepeated(outputKey, summary);
  const content = await entry.draft({ textOf, isRepeated });
  return { id: `e${entry.key}`, at: toTime(entry.happenedAt), ...content };
}

function toOutputItem({ stream, run, offset, text }: Line, form: OutputForm): TranscriptItem {
  const { at, content } = toContent(text, stream, form);
  return { id: `${stream}${run}.${offset}`, at: at === null ? null : toTime(at), ...content };
}
