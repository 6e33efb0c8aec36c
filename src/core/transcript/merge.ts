/** An entry of one source. Within a source times never go back. */
export interface Entry {
  readonly at: number;
  /** Its share of a page, in bytes. */
  readonly size: number;
}

/** How many entries of each source are before a place. */
export type Place = readonly number[];

export interface Part<T> {
  readonly entries: readonly T[];
  /** Before the first and after the last of them. */
  readonly start: Place;
  readonly end: Place;
}

export interface PartLimits {
  /** At most this many entries ... */
  readonly count: number;
  /** ... and this many bytes, but always one entry. */
  readonly bytes: number;
}

/** The entries after a place: all sources by time, and within one in its own order. */
export function partAfter<T extends Entry>(
  sources: readonly (readonly T[])[],
  from: Place,
  limits: PartLimits,
): Part<T> {
  const next = sources.flatMap((source, which) =>
    source.slice(at(from, which), at(from, which) + limits.count).map((entry, n) => ({ entry, which, n })),
  );
  const taken = takeWhileFits(next.sort(inOrder), limits);
  return { entries: taken.map(({ entry }) => entry), start: from, end: moved(sources, from, taken, 1) };
}

/** The entries before a place, oldest first. */
export function partBefore<T extends Entry>(
  sources: readonly (readonly T[])[],
  to: Place,
  limits: PartLimits,
): Part<T> {
  const last = sources.flatMap((source, which) =>
    source.slice(Math.max(0, at(to, which) - limits.count), at(to, which)).map((entry, n) => ({ entry, which, n })),
  );
  const taken = takeWhileFits(
    last.sort((a, b) => inOrder(b, a)),
    limits,
  ).reverse();
  return { entries: taken.map(({ entry }) => entry), start: moved(sources, to, taken, -1), end: to };
}

/** After everything. */
export function endOf(sources: readonly (readonly unknown[])[]): Place {
  return sources.map((source) => source.length);
}

interface Candidate<T> {
  readonly entry: T;
  readonly which: number;
  readonly n: number;
}

function inOrder(a: Candidate<Entry>, b: Candidate<Entry>): number {
  return a.entry.at - b.entry.at || a.which - b.which || a.n - b.n;
}

function takeWhileFits<T extends Entry>(candidates: readonly Candidate<T>[], limits: PartLimits): Candidate<T>[] {
  const taken: Candidate<T>[] = [];
  let bytes = 0;
  for (const candidate of candidates.slice(0, limits.count)) {
    bytes += candidate.entry.size;
    if (taken.length > 0 && bytes > limits.bytes) break;
    taken.push(candidate);
  }
  return taken;
}

function moved(
  sources: readonly unknown[],
  from: Place,
  taken: readonly Candidate<unknown>[],
  direction: 1 | -1,
): Place {
  return sources.map((_, which) => at(from, which) + direction * taken.filter((one) => one.which === which).length);
}

function at(place: Place, which: number): number {
  return place[which] ?? 0;
}
