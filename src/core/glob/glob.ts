import { GlobFault } from "./glob-fault.ts";
import { type Automaton, buildAutomaton } from "./match.ts";
import { parseGlob } from "./parse.ts";

/** As long as a path of the operating system can be. */
const MAX_PATH = 4_096;
const MAX_KEPT = 500;

/** What a glob says about a path; undecided: `ao` does not understand the glob, or the path is too long. */
export type GlobAnswer = boolean | "undecided";

interface Compiled {
  readonly automaton: Automaton;
  readonly isInverted: boolean;
}

const kept = new Map<string, Compiled | GlobFault>();

/**
 * Does a glob match a path within a repository? In a time that grows with the lengths of both, and no more. Names that
 * start with a dot are not special.
 */
export function matchGlob(glob: string, path: string): GlobAnswer {
  const compiled = compile(glob);
  if (compiled instanceof GlobFault || path.length > MAX_PATH) return "undecided";
  // A name with special characters means itself, too.
  return path === glob || compiled.automaton.matches(path) !== compiled.isInverted;
}

/** Why `ao` does not understand a glob; null: it does. */
export function findGlobFault(glob: string): string | null {
  const compiled = compile(glob);
  return compiled instanceof GlobFault ? `glob \`${glob.slice(0, 60)}\`: ${compiled.message}` : null;
}

function compile(glob: string): Compiled | GlobFault {
  const known = kept.get(glob) ?? compileOrFault(glob);
  // Globs of old rules must not stay forever.
  if (!kept.has(glob) && kept.size >= MAX_KEPT) kept.clear();
  kept.set(glob, known);
  return known;
}

function compileOrFault(glob: string): Compiled | GlobFault {
  try {
    const { sequence, isInverted } = parseGlob(glob);
    return { automaton: buildAutomaton(sequence), isInverted };
  } catch (error) {
    if (error instanceof GlobFault) return error;
    throw error;
  }
}

/** A test for one glob in which only `*`, `**`, `?` and `\` are special. */
export function plainGlob(glob: string): (path: string) => boolean {
  const automaton = buildAutomaton(parseGlob(glob, { isPlain: true }).sequence);
  return (path) => automaton.matches(path);
}
