import { describeWork } from "../core/task/work-comment.ts";
import { stageOf } from "../core/task/work-stage.ts";
import type { Engine } from "../engine/engine.ts";
import type { Host } from "../ports/host.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { Tracker } from "../ports/tracker.ts";
import { isPassing } from "./passing-failure.ts";

const RETRY_MS = 60_000;

export interface ReportSource {
  readonly engine: Pick<Engine, "loop" | "subscribe">;
  readonly host: Pick<Host, "clock" | "log">;
  readonly trackerOf: (projectId: string) => Promise<Tracker>;
}

/**
 * Keeps one comment per session on its issue: that work started, its pull request, and how it ended; and moves the
 * issue along with the work. Both follow from the state and are idempotent, so the next daemon makes up for one that
 * died.
 */
export function reportWork({ engine, host, trackerOf }: ReportSource): () => void {
  const world = engine.loop.world.view;
  const written = new Map<string, string>();
  const retries = new Map<string, () => void>();
  let isOver = false;
  // One at a time: two simultaneous comments of one session could both find none to replace.
  let last: Promise<unknown> = Promise.resolve();
  const write = async (sessionId: string, text: string): Promise<void> => {
    const session = world.session(sessionId);
    if (isOver || session === undefined || session.issue === null || written.get(sessionId) !== text) return;
    const tracker = await trackerOf(session.projectId);
    await tracker.comment?.(session.issue, { key: `session ${sessionId}`, text });
    const stage = stageOf(session, world.changesOf(sessionId));
    if (stage !== null) await tracker.transition?.(session.issue, stage);
  };
  const check = (sessionId: string): void => {
    const session = world.session(sessionId);
    const text = session === undefined ? null : describeWork(session, world.changesOf(sessionId));
    if (text === null || written.get(sessionId) === text) return;
    written.set(sessionId, text);
    last = last
      .then(() => write(sessionId, text))
      .catch((error: unknown) => {
        host.log.warn("the issue does not show the work of its session", { sessionId, reason: String(error) });
        if (written.get(sessionId) === text) written.delete(sessionId);
        retries.get(sessionId)?.();
        if (!isOver && isPassing(error)) {
          const inMs = error.retryAfterMs ?? RETRY_MS;
          retries.set(
            sessionId,
            host.clock.after(inMs, () => check(sessionId)),
          );
        }
      });
  };
  for (const { id } of [...world.activeSessions(), ...world.endedSessions()]) check(id);
  const unsubscribe = engine.subscribe((events) => {
    for (const id of new Set(events.flatMap((one) => sessionOf(one, (key) => world.change(key)?.sessionId)))) check(id);
  });
  return () => {
    isOver = true;
    unsubscribe();
    for (const cancel of retries.values()) cancel();
  };
}

function sessionOf({ stream }: StoredEvent, ofChange: (key: string) => string | null | undefined): readonly string[] {
  if (stream.startsWith("session:")) return [stream.slice("session:".length)];
  const id = stream.startsWith("change:") ? ofChange(stream.slice("change:".length)) : null;
  return id == null ? [] : [id];
}
