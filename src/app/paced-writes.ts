import type { Clock } from "../ports/host.ts";
import { isPassing } from "./passing-failure.ts";

/** Changes within this time are one write. */
const SETTLE_MS = 5000;
/** The same key is written at most this often: 20 times an hour. */
const GAP_MS = 3 * 60_000;
/** All writes of one group: 240 times an hour, of the 500 that GitHub allows. */
const GROUP_GAP_MS = 15_000;
const RETRY_MS = 60_000;

/** Writes that follow a state which may change much faster than it may be written. */
export interface PacedWrites {
  /** Writes soon, or once the last write is long enough ago; an urgent one does not wait for that. */
  request(key: string, isUrgent: boolean): void;
  close(): void;
}

interface PacedOptions {
  readonly clock: Clock;
  readonly groupOf: (key: string) => string;
  /** Writes the current state; false: nothing to write. */
  readonly write: (key: string) => Promise<boolean>;
  readonly onError: (key: string, error: unknown) => void;
}

/** One write at a time, in the order they became due; retries after a temporary failure. */
export function createPacedWrites({ clock, groupOf, write, onError }: PacedOptions): PacedWrites {
  const nextAt = new Map<string, number>();
  const planned = new Map<string, { readonly at: number; cancel(): void }>();
  const queues = new Map<string, string[]>();
  /** Groups that are writing or pausing, with a function that ends the pause. */
  const busy = new Map<string, () => void>();
  let last: Promise<unknown> = Promise.resolve();

  const plan = (key: string, at: number): void => {
    const known = planned.get(key);
    if (known !== undefined && known.at <= at) return;
    known?.cancel();
    const run = (): void => {
      planned.delete(key);
      const group = groupOf(key);
      const queue = queues.get(group) ?? [];
      if (!queue.includes(key)) queues.set(group, [...queue, key]);
      drain(group);
    };
    planned.set(key, { at, cancel: clock.after(Math.max(0, at - clock.now()), run) });
  };
  const drain = (group: string): void => {
    const [key, ...others] = queues.get(group) ?? [];
    if (key === undefined || busy.has(group)) return;
    queues.set(group, others);
    busy.set(group, () => undefined);
    const goOn = (): void => {
      busy.delete(group);
      drain(group);
    };
    last = last
      .then(() => attempt(key))
      .then((hasWritten) => (hasWritten ? busy.set(group, clock.after(GROUP_GAP_MS, goOn)) : goOn()));
  };
  const attempt = async (key: string): Promise<boolean> => {
    try {
      const hasWritten = await write(key);
      if (hasWritten) nextAt.set(key, clock.now() + GAP_MS);
      return hasWritten;
    } catch (error) {
      onError(key, error);
      if (isPassing(error)) plan(key, clock.now() + (error.retryAfterMs ?? RETRY_MS));
      return false;
    }
  };
  return {
    request: (key, isUrgent) => {
      const soon = clock.now() + SETTLE_MS;
      plan(key, isUrgent ? soon : Math.max(soon, nextAt.get(key) ?? 0));
    },
    close: () => {
      queues.clear();
      for (const cancel of busy.values()) cancel();
      for (const { cancel } of planned.values()) cancel();
    },
  };
}
