import type { StreamId } from "../../core/stream.ts";
import type { Entry } from "../../core/transcript/merge.ts";
import type { Store, StoredEvent } from "../../ports/store.ts";
import { createEventItems, type Draft } from "./event-items.ts";
import { createOutputSource, type OutputSource, type RunFacts, type RunFiles } from "./output-source.ts";

/** A shown event of the log. */
export interface EventEntry extends Entry {
  /** Its position in the log. */
  readonly key: number;
  readonly happenedAt: number;
  readonly draft: Draft;
}

/** What a session's transcript consists of, as far as it was read. */
export interface SessionIndex {
  readonly events: readonly EventEntry[];
  readonly output: OutputSource;
  /** Reads what is new since the last time. One call at a time. */
  update(now: Now): Promise<void>;
}

export interface Now extends Omit<RunFacts, "timeOf"> {
  /** The streams of the session and its pull requests, at this position of the log. */
  readonly streams: readonly StreamId[];
  readonly position: number;
}

export interface IndexDeps {
  readonly store: Pick<Store, "read">;
  readonly fs: RunFiles;
  readonly runDir: (run: number) => string;
}

const PAGE = 1_000_000;
/** An estimate: the texts of events are read when a page is built. */
const EVENT_BYTES = 500;

/** Creates an empty index. */
export function createSessionIndex({ store, fs, runDir }: IndexDeps): SessionIndex {
  const output = createOutputSource(fs, runDir);
  const items = createEventItems();
  const events: EventEntry[] = [];
  const times = new Map<string, number>();
  let position = 0;
  let latest = 0;

  // A new stream has no earlier events: a pull request belongs to its session from the start.
  const readEvents = async (now: Now): Promise<readonly StoredEvent[]> => {
    const parts = await Promise.all(now.streams.map((stream) => store.read(position, PAGE, stream)));
    const fresh = parts.flat().filter((stored) => stored.position <= now.position);
    position = now.position;
    return fresh.sort((a, b) => a.position - b.position);
  };

  return {
    events,
    output,
    update: async (now) => {
      const fresh = await readEvents(now);
      for (const stored of fresh) noteTime(times, stored);
      // The output that led to these events was printed before them, so it is read now, and they can be compared with
      // it.
      await output.update({ ...now, timeOf: (name) => times.get(name) });
      for (const stored of fresh) {
        const draft = items.take(stored, output.isRepeated);
        if (draft === null) continue;
        latest = Math.max(latest, stored.at);
        events.push({ key: stored.position, at: latest, happenedAt: stored.at, size: EVENT_BYTES, draft });
      }
    },
  };
}

// Lines without a time get it from the log's events about them.
function noteTime(times: Map<string, number>, { event, at }: StoredEvent): void {
  if (event.type === "run.started") times.set(`run:${event.run}`, at);
  // Output about a message may be read before the log has its receipt, but never before the message.
  if (event.type === "message.queued") times.set(`received:${event.id}`, at + 1);
  if (event.type === "message.accepted") times.set(`received:${event.id}`, at);
  if (event.type === "agent.asked") times.set(`asked:${event.id}`, at + 1);
}
