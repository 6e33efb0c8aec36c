import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { tempDir } from "../../src/testing/temp.ts";

/** Effects that leave something outside the daemon's own store: a folder, a process, a line in a file. */
const OUTSIDE = /^execute:(inside .*|after (create-workspace|start-run|send-message|end-run))$/;

/**
 * A sample with real processes, disks and repositories: during each kind of effect, after those that act outside,
 * and the most frequent commit, because another may come only together with other events, or not at all.
 * src/engine/crash.test.ts dies at every place, in process.
 */
export function choosePlaces(places: readonly string[]): readonly string[] {
  const outside = places.filter((place, index) => OUTSIDE.test(place) && places.indexOf(place) === index);
  return [...outside, mostFrequent(places.filter((place) => /^commit:after [^,]+$/.test(place)))];
}

function mostFrequent(names: readonly string[]): string {
  const countOf = (name: string): number => names.filter((other) => other === name).length;
  return names.reduce((best, name) => (countOf(name) > countOf(best) ? name : best), names[0] ?? "");
}

/** Crash points that a daemon passes between two deaths of one life, so that the next daemon makes progress. */
const PLACES_APART = 25;

/** The result of lives in which daemons died at one place after another. */
interface DiedEverywhere {
  /** What the checker found, with the crash points of that life. */
  readonly failures: readonly string[];
  /** Places that no life passed again: how often an effect is tried, and which events share a commit, differs from life to life. */
  readonly missed: readonly string[];
  readonly deaths: readonly string[];
  readonly lives: number;
}

/** Lives again and again, two lives at a time, until daemons have died at every place, several of them in each life. */
async function dieEverywhere(
  places: readonly string[],
  live: (env: Readonly<Record<string, string>>) => Promise<readonly string[]>,
): Promise<DiedEverywhere> {
  const folder = tempDir("ao-deaths-");
  const wanted = join(folder, "wanted");
  const listWanted = (): readonly string[] => readFileSync(wanted, "utf8").split("\n").filter(Boolean);
  writeFileSync(wanted, numberEach(places).join("\n"));
  const failures: string[] = [];
  const deaths: string[] = [];
  let lives = 0;
  const liveOn = async (): Promise<void> => {
    while (listWanted().length > 0) {
      lives += 1;
      const log = join(folder, `life-${lives}`);
      writeFileSync(log, "");
      const env = { AO_FAULT_LOG: log, AO_FAULT_WANTED: wanted, AO_FAULT_APART: String(PLACES_APART) };
      const faults = await live(env).catch((error: unknown) => [String(error)]);
      const died = [...readFileSync(log, "utf8").matchAll(/^died at (.*)$/gm)].map(([, place = ""]) => place);
      failures.push(...faults.map((fault) => `${fault} (daemons died at ${died.join("; ")})`));
      deaths.push(...died);
      if (died.length === 0) return;
    }
  };
  await Promise.all([liveOn(), liveOn()]);
  return { failures, missed: listWanted(), deaths, lives };
}

/** Lives until daemons have died at every place, and expects nothing lost or done twice. */
export async function expectToDieEverywhere(
  places: readonly string[],
  live: (env: Readonly<Record<string, string>>) => Promise<readonly string[]>,
): Promise<void> {
  const { failures, missed, deaths, lives } = await dieEverywhere(places, live);
  console.log(`${deaths.length} deaths in ${lives} lives; not passed again: ${missed.join("; ") || "none"}`);
  expect(failures).toEqual([]);
  const known = new Set(deaths.flatMap(kindsOf));
  // A commit of several events may be of a kind that no other life has.
  const alone = missed.map(kindsOf).filter(({ length }) => length === 1);
  expect(alone.flat().filter((kind) => !known.has(kind))).toEqual([]);
  expect(missed.length).toBeLessThan(places.length / 10);
}

/** A place for each event that a commit holds: how many come together depends on the moment. */
function kindsOf(place: string): readonly string[] {
  const [, step = place, names = ""] = /^(\S+)(?: (.*))?#\d+$/.exec(place) ?? [];
  return names.split(",").map((name) => `${step} ${name}`);
}

/** Each place with the number of its passage: `execute:after send-message#2`. */
function numberEach(places: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return places.map((place) => {
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return `${place}#${count}`;
  });
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
