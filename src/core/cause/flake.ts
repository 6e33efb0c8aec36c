/** How often something failed and passed on the same commit. */
export interface FlakeCount {
  readonly count: number;
  /** When it was seen last. */
  readonly at: number;
}

/** The flakes of one check. */
export interface CheckFlakes extends FlakeCount {
  /** By test, as far as the log names them. */
  readonly tests: Readonly<Record<string, FlakeCount>>;
}

/** By check. */
export type Flakes = Readonly<Record<string, CheckFlakes>>;

/** A check failed and then passed on the same commit. */
export interface FlakeEvent {
  readonly type: "check.flaked";
  readonly name: string;
  readonly commit: string;
  /** The pull request on which it was seen. */
  readonly key: string;
  /** The tests that had failed, as far as the log names them. */
  readonly tests: readonly string[];
}

/** Tests that are remembered for each check; those that were seen last stay. */
const MAX_TESTS = 100;
/** What was not seen for so long is forgotten: it may be fixed. */
const MEMORY_MS = 30 * 24 * 60 * 60_000;

/** Remembers a flake. */
export function addFlake(flakes: Flakes, { name, tests }: FlakeEvent, at: number): Flakes {
  const known = flakeOf(flakes, name);
  const { [name]: _, ...others } = flakes;
  const older = Object.entries(known?.tests ?? {}).filter(([test]) => !tests.includes(test));
  const seen = tests.map((test): [string, FlakeCount] => [test, increase(ownOf(known?.tests ?? {}, test), at)]);
  const kept = Object.fromEntries([...older, ...seen].slice(-MAX_TESTS));
  return { ...others, [name]: { ...increase(known, at), tests: kept } };
}

/** Does a failure look like one that went away by itself before? Its tests tell, or else the check as a whole. */
export function isKnownFlake(flakes: Flakes, { name, tests }: Failure, now: number): boolean {
  const known = flakeOf(flakes, name);
  const isFresh = (one: FlakeCount | undefined): boolean => one !== undefined && now - one.at < MEMORY_MS;
  if (tests.length === 0) return isFresh(known);
  return tests.every((test) => isFresh(ownOf(known?.tests ?? {}, test)));
}

/** What failed. */
interface Failure {
  readonly name: string;
  readonly tests: readonly string[];
}

function flakeOf(flakes: Flakes, name: string): CheckFlakes | undefined {
  return ownOf(flakes, name);
}

// Names of checks and tests are anything, also "constructor".
function ownOf<T>(all: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

function increase(before: FlakeCount | undefined, at: number): FlakeCount {
  return { count: (before?.count ?? 0) + 1, at };
}
