import type { AnyEvent } from "../../src/core/event.ts";
import type { SessionState } from "../../src/core/session/state.ts";
import { projectStream, type StreamId, sessionStream } from "../../src/core/stream.ts";
import { createWorldState } from "../../src/engine/world-state.ts";
import type { StoredEvent } from "../../src/ports/store.ts";
import { openLiveFeed } from "../../src/server/live/live-feed.ts";
import { createLiveHub, type HubSources } from "../../src/server/live/live-hub.ts";
import { parseLiveId } from "../../src/server/live/live-id.ts";
import { aProject, aSession } from "../../src/testing/builders.ts";
import { createMemoryArchive } from "../../src/testing/memory-archive.ts";

export interface LiveMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A log with sessions s0, s1, ... and the stream over it, without an engine: events are committed as they are. */
export function openLiveFleet(count: number) {
  const events: StoredEvent[] = [];
  const sessions = Array.from({ length: count }, (_, n) => aSession({ id: `s${n}`, activity: { state: "idle" } }));
  const states = new Map<StreamId, SessionState | ReturnType<typeof aProject>>([
    [projectStream("demo"), aProject()],
    ...sessions.map((session) => [sessionStream(session.id), session] as const),
  ]);
  const world = createWorldState(states, { archive: createMemoryArchive(new Map()) });
  const onCommit = new Set<(events: readonly StoredEvent[]) => void>();
  let inboxReads = 0;
  let now = 5000;
  const commit = (stream: StreamId, ...added: readonly AnyEvent[]): void => {
    now += 1000;
    const draft = world.draft();
    for (const event of added) draft.apply({ stream, event } as never, now);
    world.adopt(draft);
    const stored = added.map((event, n) => ({ position: events.length + n + 1, stream, at: now, event }));
    events.push(...stored);
    for (const listener of onCommit) listener(stored);
  };
  const sources: HubSources = {
    engine: {
      world: world.view,
      lastPosition: () => events.length,
      revision: world.revision,
      warnings: () => [],
      subscribe: (listener) => {
        onCommit.add(listener);
        return () => onCommit.delete(listener);
      },
      onReport: world.onReport,
      refresh: async () => undefined,
      waitUntil: async () => true,
    },
    store: { read: async (from, limit) => events.slice(from, from + limit) },
    log: { error: (message, data) => expectNone(message, data) },
    projectNotes: () => [],
    projectProblem: () => {
      inboxReads += 1;
      return null;
    },
    pullRequests: { textOf: async () => "" },
  };
  // One event that identifies the store.
  commit("fleet", { type: "daemon.started", version: "1", pid: 1 } as AnyEvent);
  return {
    world,
    sources,
    commit,
    report: (id: string, note: string) => {
      world.noteReport(id, { run: 1, state: "working", note, at: now + 1 });
    },
    say: (id: string, note: string) => commit(sessionStream(id), { type: "agent.reported", state: "working", note }),
    last: () => events.length,
    inboxReads: () => inboxReads,
    /** A new daemon on the same log. */
    newHub: () => createLiveHub(sources, { gapMs: 0 }),
  };
}

function expectNone(message: string, data: unknown): never {
  throw new Error(`${message} ${JSON.stringify(data)}`);
}

/** A client that reads messages one by one. */
export function openLiveClient(hub: ReturnType<typeof createLiveHub>, since: string | null) {
  const feed = openLiveFeed(hub, since === null ? null : parseLiveId(since), 1_000_000);
  const decoder = new TextDecoder();
  const waiting: LiveMessage[] = [];
  let lastId = since;
  const read = async (): Promise<LiveMessage> => {
    for (;;) {
      const message = waiting.shift();
      if (message !== undefined) return message;
      const bytes = await feed.next();
      if (bytes === null) throw new Error("the feed has ended");
      for (const parsed of parseMessages(decoder.decode(bytes))) {
        lastId = parsed.id ?? lastId;
        if (parsed.event !== "" && parsed.event !== "start") waiting.push(parsed);
      }
    }
  };
  return {
    read,
    /** Reads up to the message with the id of this position. */
    readTo: async (position: number): Promise<readonly LiveMessage[]> => {
      const messages: LiveMessage[] = [];
      while (waiting.length > 0 || Number.parseInt(lastId ?? "-1", 10) < position) messages.push(await read());
      return messages;
    },
    lastId: () => lastId,
    /** Joins the stream; it gets everything from now on. */
    begin: async () => {
      const [start] = parseMessages(decoder.decode((await feed.next()) ?? undefined));
      lastId = start?.id ?? lastId;
    },
    close: feed.close,
  };
}

function parseMessages(text: string): readonly LiveMessage[] {
  return text.split("\n\n").flatMap((block) => {
    const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
    const [id, event, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
    if (id === undefined && event === undefined) return [];
    return [{ id: id ?? null, event: event ?? "", data: JSON.parse(data ?? "null") }];
  });
}
