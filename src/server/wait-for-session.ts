import type { Actions, EngineView } from "./actions.ts";
import { createWakeUp } from "./wake-up.ts";

/** What signals that a session has something new. */
export interface SessionSources {
  readonly engine: Pick<EngineView, "world" | "subscribe">;
  readonly runFiles: {
    readonly fs: Pick<Actions["runFiles"]["fs"], "watch">;
    readonly runDir: Actions["runFiles"]["runDir"];
  };
}

/** One call that may wait. */
export interface Reading<Page> {
  readonly id: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly read: () => Promise<Page>;
  readonly isNews: (page: Page) => boolean;
}

export const MAX_WAIT_MS = 30_000;
/** Output comes in bursts; a follower gets each burst in one answer. */
const GATHER_MS = 50;

/** Reads again whenever something is committed or printed, until there is news or the time is up. */
export async function readOrWait<Page>(sources: SessionSources, reading: Reading<Page>): Promise<Page> {
  const { id, read, isNews, signal } = reading;
  const waitMs = Math.min(reading.waitMs, MAX_WAIT_MS);
  const until = Date.now() + waitMs;
  const { wake, wait } = createWakeUp();
  const unwatch = waitMs <= 0 ? () => undefined : watch(sources, id, wake);
  signal.addEventListener("abort", wake);
  try {
    for (;;) {
      const page = await read();
      const left = until - Date.now();
      if (isNews(page) || left <= 0 || signal.aborted) return page;
      if (await wait(left)) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  } finally {
    signal.removeEventListener("abort", wake);
    unwatch();
  }
}

/** Calls back when something is committed, or when the current run prints something. */
function watch({ engine, runFiles }: SessionSources, id: string, onChange: () => void): () => void {
  let watched = 0;
  let unwatch = (): void => undefined;
  const follow = (): void => {
    const run = engine.world.session(id)?.run.n ?? 0;
    if (run === watched || run === 0) return;
    unwatch();
    watched = run;
    unwatch = runFiles.fs.watch(runFiles.runDir(id, run), onChange);
  };
  follow();
  const unsubscribe = engine.subscribe(() => {
    follow();
    onChange();
  });
  return () => {
    unsubscribe();
    unwatch();
  };
}
