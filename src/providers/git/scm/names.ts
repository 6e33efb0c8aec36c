import { refComponent } from "../preserved.ts";

const MAX_NAMES = 100;
const MAX_CHARS = 8000;

/** File names for an answer: unique, sorted, and no more than an event can carry. */
export function boundNames(names: Iterable<string>): readonly string[] {
  const bounded: string[] = [];
  let chars = 0;
  for (const name of [...new Set(names)].sort()) {
    chars += name.length;
    if (bounded.length === MAX_NAMES || chars > MAX_CHARS) break;
    bounded.push(name);
  }
  return bounded;
}

/** Names in a sentence: all if there are few, else the first ones and the number of others. */
export function sayNames(names: readonly string[]): string {
  if (names.length <= 3) return names.join(", ");
  return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}

/** The ref that keeps what was built for a batch of a project's merge train, which no branch has. */
export function refOfBatch(projectId: string, batch: number | ""): string {
  return `refs/ao/train/${refComponent(projectId)}/${batch}`;
}

/** The refs in which this plugin records what it must remember about a change. */
export function refsOf(number: number): {
  readonly built: string;
  readonly from: string;
  readonly merged: string;
} {
  return {
    /** The commit that will become the base, written before the base moves. */
    built: `refs/ao/merge/${number}`,
    /** The base that it was built on. */
    from: `refs/ao/merge-base/${number}`,
    /** The head that was merged; a squash would leave it unreachable. */
    merged: `refs/ao/merged/${number}`,
  };
}
