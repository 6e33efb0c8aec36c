const MAX_NAMES = 100;
const MAX_CHARS = 8000;

/** File names for an answer: each once, in order, and not more than an event can carry. */
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

/** Names in a sentence: all of a few, else the first and how many more. */
export function sayNames(names: readonly string[]): string {
  if (names.length <= 3) return names.join(", ");
  return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}

/** Where this plugin keeps what it must remember of a change, beside the branches. */
export function refsOf(number: number): {
  readonly built: string;
  readonly from: string;
  readonly merged: string;
} {
  return {
    /** The commit that is to become the base, written before the base moves. */
    built: `refs/ao/merge/${number}`,
    /** The base that it was built on. */
    from: `refs/ao/merge-base/${number}`,
    /** The head that was merged; a squash would leave it unreachable. */
    merged: `refs/ao/merged/${number}`,
  };
}
