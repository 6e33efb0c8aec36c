import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible, visibleLine } from "./visible.ts";

const character = fc.oneof(
  fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom("\n", "\t", "\r", "\u001b", "\u202e", "\u200d", "\ufe0f", "\ud83d", "👩", "❤"),
);

describe("foreign text on a terminal", () => {
  it.each([
    ["plain text, größer 日本 👍", "plain text, größer 日本 👍"],
    ["one\ntwo", "one\ntwo"],
    ["a\tb", "a→   b"],
    ["\u001b[2J\u001b]0;title\u0007", "\\x1b[2J\\x1b]0;title\\x07"],
    ["safe\rrm -rf", "safe\\rrm -rf"],
    ["\u009b31m\u007f\0", "\\x9b31m\\x7f\\x00"],
    ["access\u202e txt.exe", "access\\u202e txt.exe"],
    ["zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"],
    ["line\u2028separator", "line\\u2028separator"],
    ["tag \u{e0041}", "tag \\u{e0041}"],
    ["hidden byte a\ufe01", "hidden byte a\\ufe01"],
    ["half a pair \ud83d.", "half a pair \\ud83d."],
    ["family 👩‍👩‍👧 and heart ❤️", "family 👩‍👩‍👧 and heart ❤️"],
    ["joiner in a‍b", "joiner in a\\u200db"],
  ])("%j is shown as %s", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("contains no control characters, and keeps its number of lines", () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(shown.split("\n")).toHaveLength(text.split("\n").length);
      }),
    );
  });

  it("on one line shows where lines end", () => {
    expect(visibleLine("echo tidy up\nrm -f license\n")).toBe("echo tidy up ⏎ rm -f license");
  });
});
