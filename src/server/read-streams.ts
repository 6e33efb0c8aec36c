import type { StreamId } from "../core/stream.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import type { Pace } from "./read-log.ts";

/** A stream is read in steps of this many events. */
const PAGE = 200;
/** Nobody looks further back in one. */
const MAX_READ = 50_000;

/** Some streams up to a position of the log. */
export interface Streams {
  readonly streams: readonly StreamId[];
  readonly until: number;
  readonly pace: Pace;
}

export interface NewestOf extends Streams {
  /** At most so many of them. */
  readonly count: number;
  readonly isWanted?: (stored: StoredEvent) => boolean;
}

/** The last events of some streams together, oldest first. */
export async function readNewest(
  store: Pick<Store, "readBefore">,
  { streams, until, pace, count, isWanted = () => true }: NewestOf,
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (const stream of streams) {
    const own: StoredEvent[] = [];
    for (let before = until + 1, read = 0; own.length < count && read < MAX_READ; read += PAGE) {
      const page = await store.readBefore(before, PAGE, stream);
      own.push(...page.filter(isWanted));
      if (page.length < PAGE) break;
      before = page.at(-1)?.position ?? 0;
      if (pace.isDue()) await pace.rest();
    }
    found.push(...own);
  }
  return found.sort((a, b) => a.position - b.position).slice(-count);
}

/** Everything in some streams after a position, oldest first. */
export async function readSince(
  store: Pick<Store, "read">,
  { streams, until, pace, after }: Streams & { readonly after: number },
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (const stream of streams) {
    for (let position = after; position < until; ) {
      const page = await store.read(position, PAGE, stream);
      found.push(...page.filter((stored) => stored.position <= until));
      if (page.length < PAGE) break;
      position = page.at(-1)?.position ?? until;
      if (pace.isDue()) await pace.rest();
    }
  }
  return found.sort((a, b) => a.position - b.position);
}
