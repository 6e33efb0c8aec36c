import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFull } from "../../testing/full.ts";
import { compilePattern, PatternFault } from "./linear-pattern.ts";

const RUNS = isFull ? 200_000 : 2_000;

const letter = fc.constantFrom(..."ab1_-! .[]^$", "\u00a0", "\n", "\r", "\u2028", "\ufeff", "é", "İ");
const escaped = fc.constantFrom(..."sSdDwWbBtnrfv.*[](){}/-^$|\\@é", "u0061", "u2028", "x61", "e", "_");
const item = fc.oneof(
  letter.map((text) => (/[[\]^$.]/.test(text) ? `\\${text}` : text)),
  escaped.map((text) => `\\${text}`),
  fc.constant("."),
);
const inClass = fc.oneof(
  fc.constantFrom("a", "b", "1-9", "[", ".", "^", "\u00a0", "é"),
  escaped.filter((text) => text !== "B").map((text) => `\\${text}`),
);
const charClass = fc
  .tuple(fc.constantFrom("[", "[^"), fc.array(inClass, { maxLength: 3 }))
  .map(([open, parts]) => `${open}${parts.join("")}]`)
  // In JavaScript, a range with a class such as `\s` at an end is three members.
  .filter((text) => !/^\[\^?\^/.test(text));
const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: "small" },
    item,
    charClass,
    tie("pattern").map((text) => `(${text})`),
    tie("pattern").map((text) => `(?:${text})`),
  ),
  pattern: fc
    .array(fc.tuple(tie("atom"), fc.constantFrom("", "", "*", "+?", "?", "{2}", "{1,2}")), { maxLength: 4 })
    .map((parts) => parts.map(([atom, times]) => (/^\\[bB]$/.test(atom) ? atom : `${atom}${times}`)).join(""))
    .chain((text) => fc.constantFrom(text, `^${text}`, `${text}$`, `${text}|^b`)),
}));
const text = fc.array(letter, { maxLength: 8 }).map((parts) => parts.join(""));

describe("a linear pattern", () => {
  it("matches what it matched in JavaScript", () => {
    const compare = (source: string, tried: readonly string[]): void => {
      const before = new RegExp(source);
      for (const one of tried) {
        expect([source, one, compilePattern(source).isIn(one)]).toEqual([source, one, before.test(one)]);
      }
    };
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), compare),
      isFull ? { numRuns: RUNS } : { numRuns: RUNS, seed: 1 },
    );
  });

  it.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(?<!a)b",
    "(a)\\1",
    "(",
    "a{1001}",
    "a".repeat(3_000),
    `(${"ab".repeat(500)}){900}`,
  ])("refuses %s in a sentence", (source) => {
    expect(() => compilePattern(source)).toThrow(PatternFault);
    expect(() => compilePattern(source)).toThrow(/^regular expression `/);
  });

  it.each([
    ["^(\\w+\\s?)*$", `${"a".repeat(4_000)}!`],
    ["(x+x+)+y", "x".repeat(4_000)],
    ["^(a|a)*$", `${"a".repeat(4_000)}b`],
    ["^(.*)*(.*)*(.*)*b$", "a".repeat(4_000)],
    ["(a*)*c", "a".repeat(4_000)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(4_000)],
  ])("takes time that grows with the text only: %s", (source, hostile) => {
    expect(compilePattern(source).isIn(hostile)).toBe(false);
  });
});
