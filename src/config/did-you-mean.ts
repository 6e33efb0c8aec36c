/** The number of edits (insert, delete, replace, swap neighbors) that turn one word into another. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The candidate that a person most likely meant, or null if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const plain = simplify(word);
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates) {
    const distance = editDistance(plain, simplify(candidate));
    const length = Math.max(plain.length, candidate.length);
    const allowed = length <= 5 ? 1 : Math.round(length * 0.4);
    if (distance <= allowed && (best === null || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? candidates.find((candidate) => isFirstWord(plain, candidate)) ?? null;
}

/** `clude` for `claude-code`: only the first word, with a typo. */
function isFirstWord(plain: string, candidate: string): boolean {
  const [first = "", ...rest] = candidate.toLowerCase().split("-");
  return rest.length > 0 && first.length > 3 && editDistance(plain, first) <= 1;
}

/** `did you mean "x"?`, or the whole list if nothing is close and the list is short. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== null) return `did you mean "${near}"?`;
  return candidates.length === 0 ? "" : `known here: ${candidates.join(", ")}`;
}

/** Case, dashes and underscores are the most common typos, so they cost nothing. */
function simplify(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, "");
}
