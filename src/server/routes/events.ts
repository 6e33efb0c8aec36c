import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { isInternal } from "../../core/event-catalog.ts";
import { type StreamId, sessionStream, splitStream } from "../../core/stream.ts";
import type { StoredEvent } from "../../ports/store.ts";
import { STREAMS } from "../../protocol/calls/streams.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { createNumbers } from "../current-number.ts";
import { toEventView } from "../event-text.ts";
import { findSession } from "../find-session.ts";
import { coreName } from "../public-name.ts";
import { readQuery } from "../register.ts";
import { createWakeUp } from "../wake-up.ts";

const PAGE = 500;
const HEARTBEAT_MS = 20_000;

/**
 * The log as server-sent events. Each client reads from the log at its own pace and is only woken by new commits, so
 * nothing is lost or repeated, and a slow client costs no memory.
 */
export function addEventRoutes(app: App, actions: Actions): void {
  app.get("/api/events", (c) => {
    const query = readQuery(c, STREAMS["GET /api/events"].query);
    const from = Number(c.req.header("last-event-id") ?? query.since ?? 0) || 0;
    const belongs = ofSession(actions, query.session);
    const isShown = (stored: StoredEvent): boolean =>
      (query.internal === true || !isInternal(stored.event)) && belongs(stored.stream);
    const stream = query.stream === undefined ? undefined : (coreName(query.stream) as StreamId);
    return streamSSE(c, (sse) => tell(sse, { from, follow: query.follow ?? true, stream, isShown }, actions));
  });
}

// A session's pull requests may be opened during the stream, so each event is checked again.
function ofSession(actions: Actions, written: string | undefined): (stream: StreamId) => boolean {
  if (written === undefined) return () => true;
  const world = actions.engine.world;
  const { id } = findSession(world, written);
  // A change keeps its session, and searching the archive for each event would be slow.
  const known = new Map<string, boolean>();
  return (stream) => {
    const { kind, id: key } = splitStream(stream);
    if (kind !== "change") return stream === sessionStream(id);
    const change = known.has(key) ? undefined : world.change(key);
    if (change !== undefined) known.set(key, change.sessionId === id);
    return known.get(key) ?? false;
  };
}

interface EventQuery {
  readonly from: number;
  readonly follow: boolean;
  readonly stream: StreamId | undefined;
  readonly isShown: (stored: StoredEvent) => boolean;
}

async function tell(sse: SSEStreamingApi, wanted: EventQuery, actions: Actions): Promise<void> {
  const wakeUp = createWakeUp();
  const unsubscribe = actions.engine.subscribe(wakeUp.wake);
  sse.onAbort(wakeUp.wake);
  const isOver = (): boolean => sse.aborted || sse.closed;
  try {
    let position = wanted.from;
    while (!isOver()) {
      const page = await actions.store.read(position, PAGE, wanted.stream);
      const numberOf = createNumbers(actions.engine.world);
      for (const stored of page.filter(wanted.isShown)) {
        await sse.writeSSE({ id: String(stored.position), data: JSON.stringify(toEventView(stored, numberOf)) });
      }
      position = page.at(-1)?.position ?? position;
      if (page.length > 0) continue;
      if (!wanted.follow) return;
      if (!(await wakeUp.wait(HEARTBEAT_MS)) && !isOver()) await sse.write(": still here\n\n");
    }
  } finally {
    unsubscribe();
  }
}
