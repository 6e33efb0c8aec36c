import type { TranscriptPage } from "../../protocol/views/transcript.ts";
import type { Actions } from "../actions.ts";
import type { Handler } from "../handler.ts";
import type { TranscriptQuery, Transcripts } from "../transcript/transcripts.ts";
import { createWakeUp } from "../wake-up.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_WAIT_MS = 30_000;
/** Output comes in bursts; a follower gets what came together in one answer. */
const GATHER_MS = 50;

/** The conversation of a session as typed items. */
export function createTranscriptHandler(
  actions: Actions,
  transcripts: Transcripts,
): Handler<"GET /api/sessions/:id/transcript"> {
  return ({ params: { id }, query, signal }) => {
    const limit = between(query.limit ?? DEFAULT_LIMIT, 1, MAX_LIMIT);
    const waitMs = between(query.wait ?? 0, 0, MAX_WAIT_MS);
    return readOrWait(actions, transcripts, { id, query: { cursor: query.cursor, limit }, waitMs, signal });
  };
}

interface Reading {
  readonly id: string;
  readonly query: TranscriptQuery;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

async function readOrWait(actions: Actions, transcripts: Transcripts, reading: Reading): Promise<TranscriptPage> {
  const { id, query, waitMs, signal } = reading;
  const until = Date.now() + waitMs;
  const { wake, wait } = createWakeUp();
  const unwatch = waitMs === 0 ? () => undefined : watch(actions, id, wake);
  signal.addEventListener("abort", wake);
  try {
    for (;;) {
      const page = await transcripts.read(id, query);
      const left = until - Date.now();
      if (page.data.length > 0 || page.over || left <= 0 || signal.aborted) return page;
      if (await wait(left)) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  } finally {
    signal.removeEventListener("abort", wake);
    unwatch();
  }
}

/** Calls back when something is committed, or when the run that is there now prints something. */
function watch({ engine, runFiles }: Actions, id: string, onChange: () => void): () => void {
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

function between(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
