import type { Clock } from "../../../ports/host.ts";

interface Known<T> {
  readonly value: T;
  readonly mark: string;
  /** It was read twice under this mark: what GitLab writes about a change may follow a moment later. */
  readonly isSettled: boolean;
  readonly at: number;
}

interface Rules<T> {
  readonly clock: Clock;
  /** Some changes leave no mark; they show up at the latest after this long. */
  readonly keepMs: number;
  /** Can it still change without a mark? */
  readonly isMoving?: (value: T) => boolean;
}

const MAX_KEPT = 1000;

/** Remembers what was read while the mark of its last change stays the same. */
export function createMemory<T>({ clock, keepMs, isMoving = () => false }: Rules<T>) {
  const known = new Map<string, Known<T>>();
  return async (key: string, mark: string, read: () => Promise<T>): Promise<T> => {
    const before = known.get(key);
    const isSame = before?.mark === mark;
    if (before !== undefined && isSame && before.isSettled && clock.now() - before.at < keepMs) {
      if (!isMoving(before.value)) return before.value;
    }
    const value = await read();
    known.delete(key);
    known.set(key, { value, mark, isSettled: isSame, at: clock.now() });
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
    return value;
  };
}
