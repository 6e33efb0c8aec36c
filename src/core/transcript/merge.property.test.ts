import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, endOf, type Place, partAfter, partBefore } from "./merge.ts";

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
const limitsOf = fc.record({ count: fc.integer({ min: 1, max: 7 }), bytes: fc.integer({ min: 1, max: 100 }) });
const limitsList = fc.array(limitsOf, { minLength: 1, maxLength: 5 });

const names = (entries: readonly Named[]): readonly string[] => entries.map(({ name }) => name);
const whole = (sources: readonly (readonly Named[])[]): readonly string[] =>
  names(partAfter(sources, [], { count: 1000, bytes: 1e9 }).entries);

describe("the parts of a transcript", () => {
  it("together have every entry once, in source order and by time", () => {
    fc.assert(
      fc.property(sourcesOf, (sources) => {
        const all = partAfter(sources, [], { count: 1000, bytes: 1e9 }).entries;
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
        for (let place: Place = [], n = 0; ; n += 1) {
          const part = partAfter(sources, place, limits[n % limits.length] ?? { count: 1, bytes: 1 });
          if (part.entries.length === 0) break;
          forwards.push(...names(part.entries));
          place = part.end;
        }
        const backwards: string[] = [];
        for (let place = endOf(sources), n = 0; ; n += 1) {
          const part = partBefore(sources, place, limits[n % limits.length] ?? { count: 1, bytes: 1 });
          if (part.entries.length === 0) break;
          backwards.unshift(...names(part.entries));
          place = part.start;
        }
        expect(forwards).toEqual(whole(sources));
        expect(backwards).toEqual(whole(sources));
      }),
    );
  });

  it("continue from any of their ends in either direction", () => {
    fc.assert(
      fc.property(sourcesOf, limitsOf, limitsOf, (sources, limits, others) => {
        const first = partBefore(sources, endOf(sources), limits);
        expect(names(partAfter(sources, first.start, limits).entries.slice(0, 1))).toEqual(
          names(first.entries.slice(0, 1)),
        );
        const before = partBefore(sources, first.start, others);
        expect(whole(sources).join(" ")).toContain([...names(before.entries), ...names(first.entries)].join(" "));
      }),
    );
  });

  it("have each entry once and in source order even while sources grow", () => {
    fc.assert(
      fc.property(sourcesOf, fc.array(fc.tuple(fc.nat(3), limitsOf), { maxLength: 60 }), (sources, steps) => {
        const grown = sources.map(() => 0);
        const read: string[] = [];
        let place: Place = [];
        const follow = (limits: { count: number; bytes: number }): void => {
          const part = partAfter(
            sources.map((source, which) => source.slice(0, grown[which])),
            place,
            limits,
          );
          read.push(...names(part.entries));
          place = part.end;
        };
        for (const [which, limits] of steps) {
          if (sources[which] !== undefined) grown[which] = (grown[which] ?? 0) + 1;
          follow(limits);
        }
        sources.forEach((source, which) => {
          grown[which] = source.length;
        });
        follow({ count: 1000, bytes: 1e9 });
        expect([...read].sort()).toEqual([...names(sources.flat())].sort());
        sources.forEach((source, which) => {
          expect(read.filter((name) => name.startsWith(`${which}/`))).toEqual(names(source));
        });
      }),
    );
  });
});
