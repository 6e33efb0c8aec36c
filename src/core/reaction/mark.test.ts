import fc from "fast-check";
import { expect, it } from "vitest";
import { markFrom, seedFor, seedOf } from "./mark.ts";
import { defuse, fenceLines } from "./template.ts";

const session = { id: "demo-1", createdAt: 1000 };

it("the mark of a message is the same whenever it is composed, and another one for every message and session", () => {
  expect(markFrom("seed", "m-1")).toMatch(/^[0-9a-f]{6}$/);
  expect(markFrom("seed", "m-1")).toBe(markFrom("seed", "m-1"));
  const marks = ["m-1", "m-2", "r-1", "brief 1"].flatMap((id) => [markFrom("seed", id), markFrom("other", id)]);
  expect(new Set(marks).size).toBe(marks.length);
});

it("a session of an older log has a seed, and a reviewer has one that follows from the reviewed session's", () => {
  expect(seedOf({ ...session, markSeed: "random" })).toBe("random");
  expect(seedOf(session)).toBe("demo-1 1000");
  expect(seedFor({ ...session, markSeed: "random" }, "demo-review-1")).not.toBe(seedFor(session, "demo-review-1"));
});

it("a foreign text cannot end its block, whatever it is and whichever other marks its author has seen", () => {
  const known = ["seed", "other"].flatMap((seed) => ["m-0", "r-7"].map((id) => markFrom(seed, id)));
  const piece = fc.oneof(
    fc.constantFrom(">>>>>>>> end ", ">>>>", "\n", "\r\n", "\u2028", "\u200b", "\u2060", "end ", "(data)", "<<<<<<<< "),
    fc.constantFrom(...known),
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[0-9a-f]{5}$/),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.uuid(), (parts, seed) => {
      const mark = markFrom(seed, "m-1");
      const lines = fenceLines("text of issue 1", defuse(parts.join("")), mark).split(/[\n\u2028\u2029]/);
      expect(lines.filter((line) => line.includes(`end ${mark}`))).toEqual([lines[0], lines.at(-2)]);
      expect(lines.filter((line) => line.startsWith(">>>>"))).toEqual([`>>>>>>>> end ${mark}`]);
    }),
    { numRuns: 500 },
  );
});
