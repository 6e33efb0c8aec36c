/** Commits and publications that share one crash in the short run; they differ only in how far the session has come. */
const STRIDE = 16;

/** In the full run one crash for each place; in the short run one for each kind of place, and every 16th commit and publication. */
export function choosePlaces(places: readonly string[], full: boolean): readonly number[] {
  const chosen = new Map<string, number>();
  const counts = new Map<string, number>();
  places.forEach((place, index) => {
    const point = place.split(" ")[0] ?? "";
    const count = counts.get(point) ?? 0;
    counts.set(point, count + 1);
    const kind = /^(commit|publish)/.test(point) ? `${point} ${Math.floor(count / STRIDE)}` : place;
    const key = full ? String(index) : kind;
    if (!chosen.has(key)) chosen.set(key, index + 1);
  });
  return [...chosen.values()];
}

/** Works through the numbers two at a time and collects what went wrong at which place. */
export async function crashAtAll(
  numbers: readonly number[],
  places: readonly string[],
  crashAt: (place: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const queue = [...numbers];
  const work = async (): Promise<void> => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      const place = `${number} (${places[number - 1]})`;
      const faults = await crashAt(String(number)).catch((error: unknown) => [String(error)]);
      failures.push(...faults.map((fault) => `${place}: ${fault}`));
    }
  };
  await Promise.all([work(), work()]);
  return failures;
}
