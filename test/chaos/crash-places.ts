/** What leaves something behind outside of the daemon's own store: a folder, a process, a line in a file. */
const OUTSIDE = /^execute:(inside .*|after (create-workspace|start-run|send-message|end-run))$/;

/**
 * In the full run one crash for each place. Otherwise a sample with real processes, disks and repositories: inside of the work of each kind of
 * effect, after the work of those that act outside, and one commit in the middle. src/engine/crash.test.ts dies at every place, in process.
 */
export function choosePlaces(places: readonly string[], isFull: boolean): readonly number[] {
  if (isFull) return places.map((_, index) => index + 1);
  const outside = places.filter((place, index) => OUTSIDE.test(place) && places.indexOf(place) === index);
  const commits = places.filter((place) => place.startsWith("commit:after"));
  const middle = commits[Math.floor(commits.length / 2)] ?? "";
  return [...outside, middle].map((place) => places.indexOf(place) + 1);
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
