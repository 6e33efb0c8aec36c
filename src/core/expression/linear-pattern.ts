import { RE2JS } from "re2js";
import { translatePattern } from "./translate-pattern.ts";

/** Longer ones are not written by people. */
const MAX_PATTERN = 2_000;
/** A repetition `{n}` is n copies of what it repeats. */
const MAX_COPIES = 50_000;
/** Titles, labels and names of checks are far below this. */
const MAX_TEXT = 4_096;
const MAX_KEPT = 100;

const SYNTAX =
  "patterns are RE2, without lookahead, lookbehind and backreferences (https://github.com/google/re2/wiki/Syntax)";

/** A pattern that cannot be matched in bounded time, in a sentence with what to do. */
export class PatternFault extends Error {}

/** A regular expression whose time is bounded by its size times the length of the text. */
export interface LinearPattern {
  /** Steps per character of a text at most. */
  readonly size: number;
  isIn(text: string): boolean;
}

const kept = new Map<string, LinearPattern | PatternFault>();

/** Compiles a pattern; throws a PatternFault if RE2 cannot express it. */
export function compilePattern(pattern: string): LinearPattern {
  const known = kept.get(pattern) ?? compileOrFault(pattern);
  // Patterns of old rules must not stay forever.
  if (!kept.has(pattern) && kept.size >= MAX_KEPT) kept.clear();
  kept.set(pattern, known);
  if (known instanceof PatternFault) throw known;
  return known;
}

function compileOrFault(pattern: string): LinearPattern | PatternFault {
  const shown = `regular expression \`${pattern.slice(0, 60)}${pattern.length > 60 ? "..." : ""}\``;
  if (pattern.length > MAX_PATTERN) return new PatternFault(`${shown} is longer than ${MAX_PATTERN} characters`);
  if (pattern.length * countCopies(pattern) > MAX_COPIES) {
    return new PatternFault(`${shown} repeats too much; use smaller numbers in {}`);
  }
  try {
    const compiled = RE2JS.compile(translatePattern(pattern));
    return {
      size: compiled.programSize(),
      isIn: (text) => {
        if (text.length > MAX_TEXT) throw new PatternFault(`${shown} meets a text of more than ${MAX_TEXT} characters`);
        // Not `test`: it keeps up to 8 MB of states for each pattern.
        return compiled.matcher(text).find();
      },
    };
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, "");
    return new PatternFault(`${shown}: ${reason}; ${SYNTAX}`);
  }
}

function countCopies(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d{1,6})(?:,(\d{0,6}))?\}/g)];
  return counts.reduce((sum, [, from, to]) => sum + Math.max(Number(from), Number(to ?? 0)), 1);
}
