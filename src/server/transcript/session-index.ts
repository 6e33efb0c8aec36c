import type { StreamId } from "../../core/stream.ts";
import type { Entry } from "../../core/transcript/merge.ts";
import type { Store, StoredEvent } from "../../ports/store.ts";
import type { Pace } from "../read-log.ts";
import { readNewest, readSince } from "../read-streams.ts";
import { createEventItems, type Draft } from "./event-items.ts";

/** A shown event of the log. */
export interface EventEntry extends Entry {
  /** Its position in the log. */
  readonly key: number;
  readonly happenedAt: number;
  readonly draft: Draft;
}

/** The events of a session's transcript, as far as they were read. */
export interface SessionIndex {
  readonly events: readonly EventEntry[];
  /** When something happened, such as `run:2` or `received:m-1`. */
  timeOf(name: string): number | undefined;
  /** Reads what is new since the last time. One call at a time. */
  update(now: Now, pace: Pace): Promise<void>;
}

export interface Now {
  /** The streams of the session and its pull requests, at this position of the log. */
  readonly streams: readonly StreamId[];
  readonly position: number;
}

/** A transcript begins with the last so many events; `ao events` has the others. */
const MAX_EVENTS = 20_000;
/** An estimate: the texts of events are read when a page is built. */
const EVENT_BYTES = 500;

/** Creates an empty index. */
export function createSessionIndex(store: Pick<Store, "read" | "readBefore">): SessionIndex {
  const items = createEventItems();
  const events: EventEntry[] = [];
  const times = new Map<string, number>();
  let position = 0;
  let latest = 0;

  const take = (stored: StoredEvent): void => {
    noteTime(times, stored);
    const draft = items.take(stored);
    if (draft === null) return;
    latest = Math.max(latest, stored.at);
    events.push({ key: stored.position, at: latest, happenedAt: stored.at, size: EVENT_BYTES, draft });
  };

  return {
    events,
    timeOf: (name) => times.get(name),
    update: async ({ streams, position: until }, pace) => {
      // A new stream has no earlier events: a pull request belongs to its session from the start.
      const section = { streams, until, pace };
      const fresh =
        position === 0
          ? await readNewest(store, { ...section, count: MAX_EVENTS })
          : await readSince(store, { ...section, after: position });
      position = until;
      for (const stored of fresh) {
        take(stored);
        if (pace.isDue()) await pace.rest();
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
