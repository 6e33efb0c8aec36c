/** An entry of one source. Within a source times do not go back. */
export interface Entry {
  readonly at: number;
  /** Its share of a page, in bytes. */
  readonly size: number;
}

/** What was read of a source next to a place, in the source's order. */
export interface Window<T> {
  readonly entries: readonly T[];
  /** The source has nothing beyond them in the direction of reading. */
  readonly isEnd: boolean;
}

export interface Part<T> {
  readonly entries: readonly T[];
  /** How many entries of each window it has: the first ones after a place, the last ones before it. */
  readonly taken: readonly number[];
}

export interface PartLimits {
  /** At most this many entries ... */
  readonly count: number;
  /** ... and this many bytes, but always one entry. */
  readonly bytes: number;
}

/** The entries after a place, by time, and within a source in its own order. */
export function partAfter<T extends Entry>(windows: readonly Window<T>[], limits: PartLimits): Part<T> {
  return collect(windows, limits, {
    next: ({ entries }, taken) => entries[taken],
    isBefore: (a, b) => a < b,
  });
}

/** The entries before a place, oldest first. */
export function partBefore<T extends Entry>(windows: readonly Window<T>[], limits: PartLimits): Part<T> {
  const { entries, taken } = collect(windows, limits, {
    next: (window, count) => window.entries[window.entries.length - 1 - count],
    // Of those at the same time the last source's comes first, as it comes last when reading forward.
    isBefore: (a, b) => a >= b,
  });
  return { entries: [...entries].reverse(), taken };
}

interface Direction<T> {
  next(window: Window<T>, taken: number): T | undefined;
  /** Does an entry with the time `a` of a later source come before one with the time `b`? */
  isBefore(a: number, b: number): boolean;
}

function collect<T extends Entry>(windows: readonly Window<T>[], limits: PartLimits, direction: Direction<T>): Part<T> {
  const taken = windows.map(() => 0);
  const entries: T[] = [];
  let bytes = 0;
  while (entries.length < limits.count) {
    const which = choose(windows, taken, direction);
    if (which === null) break;
    const entry = direction.next(windows[which]!, taken[which]!)!;
    bytes += entry.size;
    if (entries.length > 0 && bytes > limits.bytes) break;
    taken[which]! += 1;
    entries.push(entry);
  }
  return { entries, taken };
}

// null: none is left, or the next one may be beyond what was read of its source.
function choose<T extends Entry>(
  windows: readonly Window<T>[],
  taken: readonly number[],
  direction: Direction<T>,
): number | null {
  let chosen: number | null = null;
  let at = 0;
  for (const [which, window] of windows.entries()) {
    const entry = direction.next(window, taken[which]!);
    if (entry === undefined && !window.isEnd) return null;
    if (entry === undefined || (chosen !== null && !direction.isBefore(entry.at, at))) continue;
    chosen = which;
    at = entry.at;
  }
  return chosen;
}
