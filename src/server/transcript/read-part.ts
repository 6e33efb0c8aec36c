import { type Entry, type Part, partAfter, partBefore, type Window } from "../../core/transcript/merge.ts";
import { parseCursor } from "./cursor.ts";
import { eventsAfter, eventsBefore } from "./event-window.ts";
import type { Need, OutputEntry, OutputSource } from "./output-source.ts";
import type { EventEntry, SessionIndex } from "./session-index.ts";

/** Which page. */
export interface PartQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The sources of a transcript. */
export interface PartSources {
  readonly source: OutputSource;
  readonly index: Pick<SessionIndex, "events">;
}

/** The entries of a page, and the place of each source before and after them. */
export interface TranscriptPart {
  readonly entries: readonly (OutputEntry | EventEntry)[];
  /** For each entry: where the output is at that moment. */
  readonly outputKeys: readonly number[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Nothing is before it. */
  readonly isStart: boolean;
  /** Nothing was after it when it was read. */
  readonly isEnd: boolean;
}

type Found = Window<OutputEntry | EventEntry> & { readonly reached: number };
/** Output, errors, events. */
const SOURCES = 3;
const MAX_PAGE_BYTES = 512 * 1024;

/** Chooses the entries of a page: the newest ones, or those after or before a cursor. */
export async function readPart({ source, index }: PartSources, { cursor, limit }: PartQuery): Promise<TranscriptPart> {
  const need = { count: limit, bytes: MAX_PAGE_BYTES };
  const { events } = index;
  if (cursor === undefined) {
    const keys = [await source.end("out"), await source.end("err"), (events.at(-1)?.key ?? -1) + 1];
    return { ...(await readBefore({ source, index }, keys, need)), isEnd: true };
  }
  const { direction, keys } = parseCursor(cursor, SOURCES);
  return (direction === "after" ? readAfter : readBefore)({ source, index }, keys, need);
}

async function readBefore(
  { source, index }: PartSources,
  keys: readonly number[],
  need: Need,
): Promise<TranscriptPart> {
  const [out = 0, err = 0, event = 0] = keys;
  const found: readonly Found[] = [
    await source.before("out", out, need),
    await source.before("err", err, need),
    eventsBefore(index.events, event, need.count),
  ];
  const part = partBefore(found, need);
  const start = found.map((one, which) => {
    const taken = part.taken[which] ?? 0;
    const first = one.entries[one.entries.length - taken];
    return taken === one.entries.length ? one.reached : (first?.key ?? keys[which] ?? 0);
  });
  const isStart = isAllOf(found, part);
  return { ...part, ...withOutputKeys(part.entries, start[0] ?? 0), start, end: keys, isStart, isEnd: false };
}

async function readAfter({ source, index }: PartSources, keys: readonly number[], need: Need): Promise<TranscriptPart> {
  const [out = 0, err = 0, event = 0] = keys;
  const found: readonly Found[] = [
    await source.after("out", out, need),
    await source.after("err", err, need),
    eventsAfter(index.events, event, need.count),
  ];
  const part = partAfter(found, need);
  const end = found.map((one, which) => {
    const taken = part.taken[which] ?? 0;
    if (taken === one.entries.length) return one.reached;
    return taken === 0 ? (keys[which] ?? 0) : (one.entries[taken - 1]?.key ?? 0) + 1;
  });
  const isStart = keys.every((key) => key === 0);
  return { ...part, ...withOutputKeys(part.entries, out), start: keys, end, isStart, isEnd: isAllOf(found, part) };
}

function isAllOf(found: readonly Window<unknown>[], { taken }: Part<Entry>): boolean {
  return found.every(({ entries, isEnd }, which) => isEnd && taken[which] === entries.length);
}

function withOutputKeys(
  entries: readonly (OutputEntry | EventEntry)[],
  start: number,
): Pick<TranscriptPart, "outputKeys"> {
  let key = start;
  const outputKeys = entries.map((entry) => {
    if ("stream" in entry && entry.stream === "out") ({ key } = entry);
    return key;
  });
  return { outputKeys };
}
