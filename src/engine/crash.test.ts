import { describe, expect, it } from "vitest";
import { openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { judgeOnForge, liveOnForge } from "../testing/engine-bed/forge-story.ts";
import { judgeGuard, liveWithGuard, openGuardBed } from "../testing/engine-bed/guard-story.ts";
import { judge } from "../testing/engine-bed/judge.ts";
import { type Input, judgeTwice, liveTwice } from "../testing/engine-bed/short-story.ts";
import { liveOnce } from "../testing/engine-bed/story.ts";
import { judgeTransferred, liveTransferred } from "../testing/engine-bed/transfer-story.ts";
import { judgeUntrusted, liveUntrusted } from "../testing/engine-bed/untrusted-story.ts";
import { isFull } from "../testing/full.ts";
import { executors } from "./executors/all.ts";

type KillAt = (place: string) => boolean;

/** Lives through a story with a daemon that may die; returns what the judge finds, and why it did not end. */
type Life = (killAt: KillAt) => Promise<readonly string[]>;

function lifeOf<Bed>(
  open: (killAt: KillAt) => Promise<Bed>,
  live: (bed: Bed) => Promise<unknown>,
  judgeIt: (bed: Bed) => readonly string[] | Promise<readonly string[]>,
): Life {
  return async (killAt) => {
    const bed = await open(killAt);
    const stuck = await live(bed).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    return [...stuck, ...(await judgeIt(bed))];
  };
}

const LIVES = {
  local: lifeOf((killAt) => openEngineBed({ killAt }), liveOnce, judge),
  onForge: lifeOf((killAt) => openEngineBed({ isRemote: true, killAt }), liveOnForge, judgeOnForge),
  // The daemon is restarted for the move.
  moved: lifeOf((killAt) => openEngineBed({ isRemote: "later", killAt, deaths: 2 }), liveTransferred, judgeTransferred),
  guarded: lifeOf((killAt) => openGuardBed({ killAt }), liveWithGuard, judgeGuard),
  untrusted: lifeOf((killAt) => openEngineBed({ isRemote: true, killAt }), liveUntrusted, judgeUntrusted),
} as const;

/** A session that loses its agent, is stopped and restored. */
const returning = (input: Input): Life =>
  lifeOf(
    (killAt) => openEngineBed({ input, killAt }),
    (bed) => liveTwice(bed, input),
    judgeTwice,
  );

/** Every place that an undisturbed life passes, in order: fault points, and the answers of ports. */
async function listPlaces(life: Life): Promise<readonly string[]> {
  const places: string[] = [];
  expect(await life((place) => places.push(place) === 0)).toEqual([]);
  return places;
}

/** Dies at the nth place that it passes. */
function killAtNumber(number: number): KillAt {
  let passed = 0;
  return () => {
    passed += 1;
    return passed === number;
  };
}

/** Dies at each place of a life, in the usual run only at those of the sample; returns the number of places. */
async function dieEverywhere(
  life: Life,
  isInSample: (place: string, number: number) => boolean = () => true,
): Promise<number> {
  const places = await listPlaces(life);
  const failures: string[] = [];
  for (const [index, place] of places.entries()) {
    const number = index + 1;
    if (!isFull && !isInSample(place, number)) continue;
    const faults = await life(killAtNumber(number));
    failures.push(...faults.map((fault) => `${number} (${place}): ${fault}`));
  }
  expect(failures).toEqual([]);
  return places.length;
}

describe("a daemon that dies between two steps", () => {
  it("passes the fault points of every executor in its lives", async () => {
    const places: string[] = [];
    for (const life of Object.values(LIVES)) places.push(...(await listPlaces(life)));
    const kinds = Object.keys(executors);
    for (const point of ["start:after", "execute:before", "execute:after", "outcome:after"]) {
      expect(kinds.filter((kind) => !places.includes(`${point} ${kind}`))).toEqual([]);
    }
  });

  it("performs every effect exactly once and loses nothing, wherever it dies", async () => {
    expect(await dieEverywhere(LIVES.local)).toBeGreaterThan(200);
  });

  // The places of effects that the first life has too are tested there.
  it.each<[string, Life, RegExp]>([
    [
      "opens, pushes, writes and merges once on a remote forge, and reports each fact once",
      LIVES.onForge,
      /forge\.|ensureChange|(open|publish|write)-change|change\.(opened|observed|published|write)/,
    ],
    [
      "opens a local pull request once on the forge that its project moved to",
      LIVES.moved,
      /transfer|ensureChange|(forge|scm)\.(write|merge)/,
    ],
    [
      "reverts a merge that broke the base once, and notifies its agent once",
      LIVES.guarded,
      /revert|main\.|check-commit/,
    ],
    [
      "restricts the network before untrusted text arrives, and passes it on once",
      LIVES.untrusted,
      /restrict-network|gate\.|send-message|start-run/,
    ],
  ])("%s, wherever it dies", async (_, life, sample) => {
    expect(await dieEverywhere(life, (place) => sample.test(place))).toBeGreaterThan(50);
  });

  it.each(["inbox", "file", "terminal"] as const)(
    "loses no message when the agent dies or the session is restored, with input by %s",
    async (input) => {
      // A new daemon cannot see a commit that did not happen.
      const isInSample = (place: string, number: number): boolean => number % 7 === 0 || place === "commit:before ";
      expect(await dieEverywhere(returning(input), isInSample)).toBeGreaterThan(200);
    },
    120_000,
  );
});
