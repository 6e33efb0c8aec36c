import { Environment } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { parseBounded, Undecided } from "../../src/core/expression/bounded-expression.ts";
import { compilePattern, PatternFault } from "../../src/core/expression/linear-pattern.ts";
import { findGlobFault, matchGlob } from "../../src/core/glob/glob.ts";

/** Something that matches text of others by what a person configured. */
interface Matcher {
  /** What a person wrote, and a text that somebody chose for it. */
  readonly inputs: fc.Arbitrary<readonly [string, string]>;
  run(written: string, text: string): void;
  /** How many steps a bounded matcher may take. */
  stepsOf(written: string, text: string): number;
}

/** An input, and its microseconds per step. */
export interface Tried {
  readonly pair: readonly [string, string];
  readonly perStep: number;
}

/** Fixed costs of a call, in steps. */
const CALL = 2_000;
const BUDGET = 300_000;

const repeated = fc
  .tuple(
    fc.array(fc.constantFrom(..."aaab/.-! "), { minLength: 1, maxLength: 4 }),
    fc.nat(800),
    fc.constantFrom("", "!", "b", "/"),
  )
  .map(([parts, times, end]) => `${parts.join("").repeat(times)}`.slice(0, 3_000) + end);
const written = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 6 }))
    .map(([parts, times]) => parts.join("").repeat(times));
const pattern = written([
  "a",
  "b",
  ".",
  "(a+)+",
  "(a*)*",
  "(a|a)*",
  "(.*)*",
  "\\w+",
  "\\s?",
  "(\\w+\\s?)*",
  "{2}",
  "{1,9}",
  "[^b]*",
  "?",
  "$",
  "^",
]);
const glob = written([
  "*",
  "**",
  "/",
  "a",
  "**/",
  ".",
  "?",
  "*a",
  "{a,*a}",
  "+(a|*a)",
  "*(a|b)",
  "!(*a)",
  "[a-b]",
  "@(a|**/b)",
]);
const expression = fc
  .tuple(
    fc.array(fc.constantFrom("all", "exists", "exists_one", "filter", "map"), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(
      "n == t",
      "n.matches('(a+)+b')",
      "t.contains(n + n)",
      "n + t + t",
      "names + names",
      "names == names",
      "t.split('a')",
    ),
  )
  .map(([macros, body]) => macros.reduceRight<string>((inner, macro) => `names.${macro}(n, ${inner})`, body));

/** Everything that the daemon matches, with inputs that backtracking would not survive. */
export const MATCHERS: Readonly<Record<string, Matcher>> = {
  "regular expressions": {
    inputs: fc.tuple(pattern, repeated),
    run: (source, text) => ignoring(PatternFault, () => compilePattern(source).isIn(text)),
    stepsOf: (source, text) => CALL + sizeOf(source) * text.length,
  },
  globs: {
    inputs: fc.tuple(glob, repeated),
    run: matchGlob,
    stepsOf: (source, text) => CALL + (findGlobFault(source) === null ? source.length * text.length : 0),
  },
  conditions: {
    inputs: fc.tuple(expression, repeated),
    run: (source, text) => {
      const environment = new Environment({ limits: { maxAstNodes: 500, maxDepth: 50 } })
        .registerVariable("names", "list<string>")
        .registerVariable("t", "string");
      const facts = { t: text, names: Array.from({ length: 200 }, (_, index) => text.slice(0, index)) };
      // What has the wrong type is refused when the configuration is read.
      if (environment.check(source).valid) ignoring(Undecided, () => parseBounded(environment, source).evaluate(facts));
    },
    stepsOf: () => BUDGET,
  },
};

function sizeOf(source: string): number {
  try {
    return compilePattern(source).size;
  } catch {
    return 0;
  }
}

function ignoring(fault: new (...args: never[]) => Error, call: () => unknown): void {
  try {
    call();
  } catch (error) {
    // CEL's own errors say that a fact is missing or has another type.
    if (!(error instanceof fault) && !/CEL|Evaluation/.test((error as Error).name)) throw error;
  }
}
