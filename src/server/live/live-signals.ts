import { toSessionView } from "../views.ts";
import type { ViewSources } from "./derive-view.ts";
import { formatFrame } from "./frames.ts";

/** At most one message per session within this time. */
const SIGNAL_MS = 1000;

/** Collects what agents report between events, and sends one message per session and second. */
export function startSignals(sources: ViewSources, deliver: (frames: ReadonlyMap<string, string>) => void): () => void {
  const reported = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    const frames = new Map([...reported].flatMap((id) => entryOf(id, sources)));
    reported.clear();
    timer = frames.size === 0 ? null : setTimeout(flush, SIGNAL_MS);
    if (frames.size > 0) deliver(frames);
  };
  const unsubscribe = sources.engine.onReport((sessionId) => {
    reported.add(sessionId);
    timer ??= setTimeout(flush, 0);
  });
  return () => {
    unsubscribe();
    if (timer !== null) clearTimeout(timer);
  };
}

function entryOf(id: string, { engine: { world } }: ViewSources): readonly (readonly [string, string])[] {
  const session = world.session(id);
  const report = world.liveReport(id);
  if (session === undefined || report === null) return [];
  const { activity, evidence } = toSessionView(session, world);
  const lastSignalAt = new Date(report.at).toISOString();
  return [[id, formatFrame("signal", { sessionId: id, activity, evidence, lastSignalAt })]];
}
