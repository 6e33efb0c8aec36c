import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../src/testing/temp.ts";

/** What leaves something behind outside of the daemon's own store: a folder, a process, a line in a file. */
const OUTSIDE = /^execute:(inside .*|after (create-workspace|start-run|send-message|end-run))$/;

/**
 * A sample with real processes, disks and repositories: inside of the work of each kind of effect, after the work of those that act outside,
 * and one commit in the middle. src/engine/crash.test.ts dies at every place, in process.
 */
export function choosePlaces(places: readonly string[]): readonly string[] {
  const outside = places.filter((place, index) => OUTSIDE.test(place) && places.indexOf(place) === index);
  const commits = places.filter((place) => place.startsWith("commit:after"));
  return [...outside, commits[Math.floor(commits.length / 2)] ?? ""];
}

/** Works through all places, one life for each and two at a time, and collects what went wrong at which place. */
export async function crashAtAll(
  places: readonly string[],
  crashAt: (place: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const queue = places.map((_, index) => index + 1);
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

/** Deaths that follow each other in one life: the first daemon dies at the first place, the second one at the next. */
export interface Deaths {
  /** For the environment of every daemon of that life. */
  readonly env: Readonly<Record<string, string>>;
  /** Places at which nobody died. */
  left(): readonly string[];
}

/** Plans these deaths for daemons of test/fixtures/faulty-daemon.mjs. */
export function planDeaths(places: readonly string[]): Deaths {
  const file = join(tempDir("ao-deaths-"), "list");
  writeFileSync(file, places.join("\n"));
  return {
    env: { AO_FAULT_LIST: file },
    left: () => readFileSync(file, "utf8").split("\n").filter(Boolean),
  };
}
