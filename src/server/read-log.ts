import { AoError } from "../core/errors.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import { nextTurn } from "./turns.ts";

const PAGE = 500;
/** The daemon does other work after this time. */
const SLICE_MS = 10;

/** Keeps long work from blocking the daemon. */
export interface Pace {
  elapsedMs(): number;
  isDue(): boolean;
  /** Lets the daemon do other work; throws if the time is up or the caller is gone. */
  rest(): Promise<void>;
}

export interface PaceLimits {
  /** Aborted when the caller is gone; absent: the work is for all callers. */
  readonly signal?: AbortSignal;
  /** Longer work is given up; absent: never. */
  readonly ms?: number;
}

export function createPace({ signal, ms = Number.POSITIVE_INFINITY }: PaceLimits = {}): Pace {
  const started = performance.now();
  let since = started;
  return {
    elapsedMs: () => Math.round(performance.now() - started),
    isDue: () => performance.now() - since >= SLICE_MS,
    rest: async () => {
      await nextTurn();
      since = performance.now();
      if (signal?.aborted === true) throw new AoError({ code: "timeout", message: "Its caller is gone." });
      if (since - started > ms) throw tooLong(ms);
    },
  };
}

function tooLong(ms: number): AoError {
  return new AoError({
    code: "timeout",
    message: `The dry run was stopped after ${Math.round(ms / 1000)} s.`,
    hint: "`ao replay --since 7d --config FILE` has no time limit.",
  });
}

export interface LogSection {
  /** The position before its first event. */
  readonly after: number;
  /** Its last position. */
  readonly until: number;
  readonly pace: Pace;
}

/** Reads a section of the log, event by event; returns how many there were. */
export async function readLog(
  store: Pick<Store, "read">,
  { after, until, pace }: LogSection,
  onEvent: (event: StoredEvent) => void,
): Promise<number> {
  let count = 0;
  for (let position = after; position < until; ) {
    const page = await store.read(position, Math.min(PAGE, until - position));
    const last = page.at(-1);
    if (last === undefined) break;
    for (const event of page) {
      onEvent(event);
      if (pace.isDue()) await pace.rest();
    }
    count += page.length;
    position = last.position;
  }
  return count;
}
