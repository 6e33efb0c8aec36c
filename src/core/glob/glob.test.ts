import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { isFull } from "../../testing/full.ts";
import { findGlobFault, matchGlob } from "./glob.ts";

const GLOBS = isFull ? 200_000 : 1_000;
const PATHS_PER_GLOB = 5;

const path = fc
  .array(
    fc
      .array(fc.constantFrom(..."aab.b*[]-1!(+{,", "id", "(g)"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(""))
      .filter((name) => name !== "." && name !== ".."),
    { minLength: 1, maxLength: 4 },
  )
  .map((names) => names.join("/"));
const PLAIN = ["a", "b", "a", "b", ".", "*", "*", "**", "?", "-", "1", "\\*", "\\[", "@", ",", "]", "}"];
const CLASSES = ["[ab]", "[a-b]", "[^a]", "[!a]", "[id]", "[[:alpha:]]", "[-a]", "[a.]", "[]a]"];
const GROUPS = [
  "{a,b}",
  "{a*,b/a}",
  "{a,{b,1}}",
  "{1..3}",
  "{a}",
  "{,a}",
  "@(a|b)",
  "?(a)",
  "(a|b)",
  "(g)",
  "@(a/**)",
  "{**/a,b}",
];
const EXTENDED = ["+(a|b)", "*(ab)", "!(a)", "!(*b)", "+(*|a)", "!(a/b)"];
const segment = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...PLAIN) },
      ...[CLASSES, GROUPS, EXTENDED].map((some) => fc.constantFrom(...some)),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(""));
const glob = fc
  .tuple(
    fc.constantFrom("", "", "", "", "!", "./"),
    fc.array(fc.oneof({ weight: 2, arbitrary: segment }, fc.constant("**")), { minLength: 1, maxLength: 4 }),
  )
  .map(([mark, segments]) => mark + segments.join("/"));

/** Globs that match more than they did with picomatch, and why that is right. */
const WIDER: readonly (readonly [RegExp, string])[] = [
  [/!\(/, "`!(a)b` excludes names that are `a` before `b`, as in bash, and not all that start with `a`"],
  [/[+*]\(/, "repeated groups that could backtrack were taken as plain text"],
  [/^\*\.\*$/, "`*.*` did not match a name that ends with a dot"],
  [/[{(][^})]*\*\*/, "`**/` within braces or a group did not match no folder at all"],
];

function compare(written: string, paths: readonly string[], count: (undecided: boolean) => void): void {
  const before = picomatch(written, { dot: true });
  for (const one of paths) {
    const now = matchGlob(written, one);
    count(now === "undecided");
    if (now === "undecided" || now === before(one)) continue;
    const isExplained = now && WIDER.some(([form]) => form.test(written)) && !/^!(?!\()/.test(written);
    expect([written, one, now, isExplained]).toEqual([written, one, now, true]);
  }
}

describe("a glob", () => {
  it("matches what it matched with picomatch, or more where that did not follow its documentation", () => {
    let [tried, undecided] = [0, 0];
    const count = (isUndecided: boolean): void => {
      tried += 1;
      if (isUndecided) undecided += 1;
    };
    const paths = fc.array(path, { minLength: PATHS_PER_GLOB, maxLength: PATHS_PER_GLOB });
    fc.assert(
      fc.property(glob, paths, (written, some) => compare(written, some, count)),
      isFull ? { numRuns: GLOBS } : { numRuns: GLOBS, seed: 1 },
    );
    expect(tried).toBe(GLOBS * PATHS_PER_GLOB);
    expect(undecided / tried).toBeLessThan(0.25);
  });

  it.each([
    ["src/**", "src/a\nb.ts", true],
    ["**/*.key", "secrets/a\u2028/b.key", true],
    ["app/[id]/**", "app/[id]/page.tsx", true],
    ["app/(shop)/**", "app/shop/page.tsx", true],
    ["!docs/**", "docs/a.md", false],
    ["!docs/**", "src/a.ts", true],
    ["!(docs)/**", "docs2/a.md", true],
    ["!(docs)/**", "docs/a.md", false],
    ["**/!(*.d).ts", "src/a.d.ts", false],
    ["**/!(*.d).ts", "src/a.ts", true],
    ["src/*.{ts,tsx}", "src/a.tsx", true],
    [".github/**", ".github/workflows/ci.yml", true],
  ])("%s and %s: %s", (written, one, expected) => {
    expect(matchGlob(written, one)).toBe(expected);
  });

  it.each([
    "",
    "a|b",
    '"a*"',
    "(a",
    "{a",
    "a(?=b)",
    "[z-a]",
    "@(a)?",
    "!a+(b)",
    "{1..10}",
    "a".repeat(1_001),
    "(".repeat(30) + ")".repeat(30),
  ])("%j is refused with a reason, and decides nothing", (written) => {
    expect(findGlobFault(written)).toMatch(/^glob `/);
    expect(matchGlob(written, "a")).toBe("undecided");
  });

  it.each([
    ["*.*.*.*.lock", "a.".repeat(400)],
    [`${"*a".repeat(30)}b`, "a".repeat(4_000)],
    [`${"**/".repeat(20)}b`, "a/".repeat(2_000)],
    ["**/*a**/**/*a**/**/*b", "a/".repeat(2_000)],
    ["+(+(a)|+(aa))b", "a".repeat(4_000)],
    [`${"!(a)".repeat(20)}b`, "a".repeat(4_000)],
    ["*(a|*(b|*(a|b)))c", "ab".repeat(2_000)],
  ])("%s does not keep anybody busy with a long path", (written, hostile) => {
    expect(matchGlob(written, hostile)).toBe(false);
  });

  it("decides nothing about a path that no file can have", () => {
    expect(matchGlob("*", "a".repeat(5_000))).toBe("undecided");
  });
});
