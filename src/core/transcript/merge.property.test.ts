import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, partAfter, partBefore, type Window } from "./merge.ts";

interface Named extends Entry {
  readonly name: string;
}

/** Up to four sources, each with times that never go back; many are equal. */
const sourcesOf = fc
  .array(fc.array(fc.tuple(fc.nat(3), fc.nat(50)), { maxLength: 30 }), { maxLength: 4 })
  .map((lists) =>
    lists.map((steps, which) => {
      let at = 0;
      return steps.map(([step, size], n): Named => {
        at += step;
        return { at, size, name: `${which}/${n}` };
      });
    }),
  );
/** Limits, and how many entries of a source are read at once: also none, as from output without a shown line. */
const limitsOf = fc.record({
  count: fc.integer({ min: 1, max: 7 }),
  bytes: fc.integer({ min: 1, max: 100 }),
  windows: fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }),
});
const limitsList = fc.array(limitsOf, { minLength: 1, maxLength: 5 });
const ALL = { count: 1000, bytes: 1e9, windows: [1000] };

interface Limits {
  readonly count: number;
  readonly bytes: number;
  readonly windows: readonly number[];
}

/** How many entries of each source are before a place. */
type Place = readonly number[];

const at = (place: Place, which: number): number => place[which] ?? 0;
const endOf = (sources: readonly (readonly unknown[])[]): Place => sources.map((source) => source.length);

function readAfter(sources: readonly (readonly Named[])[], from: Place, limits: Limits) {
  const windows = sources.map((source, which): Window<Named> => {
    const to = at(from, which) + (limits.windows[which % limits.windows.length] ?? 1);
    return { entries: source.slice(at(from, which), to), isEnd: to >= source.length };
  });
  const { entries, taken } = partAfter(windows, limits);
  return { entries, start: from, end: sources.map((_, which) => at(from, which) + (taken[which] ?? 0)) };
}

function readBefore(sources: readonly (readonly Named[])[], to: Place, limits: Limits) {
  const windows = sources.map((source, which): Window<Named> => {
    const from = Math.max(0, at(to, which) - (limits.windows[which % limits.windows.length] ?? 1));
    return { entries: source.slice(from, at(to, which)), isEnd: from === 0 };
  });
  const { entries, taken } = partBefore(windows, limits);
  return { entries, start: sources.map((_, which) => at(to, which) - (taken[which] ?? 0)), end: to };
}

/** Reads part after part; after an empty one with larger windows, as a reader of output reads on. */
function walk(list: readonly Limits[], from: Place, step: (place: Place, limits: Limits) => Place | null): void {
  let place = from;
  for (let n = 0, misses = 0; misses < 3; n += 1) {
    const limits = list[n % list.length] ?? ALL;
    const next = step(place, { ...limits, windows: limits.windows.map((size) => size + misses) });
    misses = next === null ? misses + 1 : 0;
    place = next ?? place;
  }
}

const names = (entries: readonly Named[]): readonly string[] => entries.map(({ name }) => name);
const whole = (sources: readonly (readonly Named[])[]): readonly string[] => names(readAfter(sources, [], ALL).entries);

describe("the parts of a transcript", () => {
  it("together have every entry once, in source order and by time", () => {
    fc.assert(
      fc.property(sourcesOf, (sources) => {
        const all = readAfter(sources, [], ALL).entries;
        expect(new Set(names(all)).size).toBe(sources.flat().length);
        sources.forEach((source, which) => {
          expect(names(all.filter(({ name }) => name.startsWith(`${which}/`)))).toEqual(names(source));
        });
        expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort((a, b) => a - b));
      }),
    );
  });

  it("are the same list forward and backward, whatever the sizes of the parts", () => {
    fc.assert(
      fc.property(sourcesOf, limitsList, (sources, limits) => {
        const forwards: string[] = [];
        walk(limits, [], (place, some) => {
          const part = readAfter(sources, place, some);
          forwards.push(...names(part.entries));
          return part.entries.length === 0 ? null : part.end;
        });
        const backwards: string[] = [];
        walk(limits, endOf(sources), (place, some) => {
          const part = readBefore(sources, place, some);
          backwards.unshift(...names(part.entries));
          return part.entries.length === 0 ? null : part.start;
        });
        expect(forwards).toEqual(whole(sources));
        expect(backwards).toEqual(whole(sources));
      }),
    );
  });

  it("continue from any of their ends in either direction", () => {
    fc.assert(
      fc.property(sourcesOf, limitsOf, limitsOf, (sources, limits, others) => {
        const first = readBefore(sources, endOf(sources), limits);
        const next = readAfter(sources, first.start, { ...ALL, ...limits, windows: [1000] });
        expect(names(next.entries.slice(0, 1))).toEqual(
          whole(sources)
            .slice(-first.entries.length || sources.flat().length)
            .slice(0, 1),
        );
        const earlier = readBefore(sources, first.start, others);
        expect(whole(sources).join(" ")).toContain([...names(earlier.entries), ...names(first.entries)].join(" "));
      }),
    );
  });

  it("have each entry once and in source order even while sources grow", () => {
    fc.assert(
      fc.property(sourcesOf, fc.array(fc.tuple(fc.nat(3), limitsOf), { maxLength: 60 }), (sources, steps) => {
        const lengths = sources.map(() => 0);
        const read: string[] = [];
        let place: Place = [];
        const follow = (limits: Limits): void => {
          const part = readAfter(
            sources.map((source, which) => source.slice(0, lengths[which])),
            place,
            limits,
          );
          read.push(...names(part.entries));
          place = part.end;
        };
        for (const [which, limits] of steps) {
          if (sources[which] !== undefined) lengths[which] = (lengths[which] ?? 0) + 1;
          follow(limits);
        }
        sources.forEach((source, which) => {
          lengths[which] = source.length;
        });
        follow(ALL);
        expect([...read].sort()).toEqual([...names(sources.flat())].sort());
        sources.forEach((source, which) => {
          expect(read.filter((name) => name.startsWith(`${which}/`))).toEqual(names(source));
        });
      }),
    );
  });
});
