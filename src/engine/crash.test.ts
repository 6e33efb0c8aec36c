import { describe, expect, it } from "vitest";
import { type BedOptions, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { judgeOnForge, liveOnForge } from "../testing/engine-bed/forge-story.ts";
import { judgeGuard, liveWithGuard, openGuardBed } from "../testing/engine-bed/guard-story.ts";
import { judge } from "../testing/engine-bed/judge.ts";
import { type Input, judgeTwice, liveTwice } from "../testing/engine-bed/short-story.ts";
import { liveOnce } from "../testing/engine-bed/story.ts";
import { judgeTransferred, liveTransferred } from "../testing/engine-bed/transfer-story.ts";
import { judgeUntrusted, liveUntrusted } from "../testing/engine-bed/untrusted-story.ts";
import { isFull } from "../testing/full.ts";
import { executors } from "./executors/all.ts";

/** The faults of a session that loses its agent, is stopped and restored. */
async function findFaultsOfReturn(input: Input, killAt: (place: string) => boolean): Promise<readonly string[]> {
  const bed = await openEngineBed({ input, killAt });
  const stuck = await liveTwice(bed, input).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...(await judgeTwice(bed))];
}

/** One life; what the judge finds, or why it did not end. */
async function findFaults(options: BedOptions): Promise<readonly string[]> {
  const bed = await openEngineBed(options);
  const stuck = await liveOnce(bed).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...(await judge(bed))];
}

/** A life whose pull request is on a remote forge. */
async function findFaultsOnForge(killAt: (place: string) => boolean): Promise<readonly string[]> {
  const bed = await openEngineBed({ isRemote: true, killAt });
  const stuck = await liveOnForge(bed).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...(await judgeOnForge(bed))];
}

/** A life whose project moves to a forge, and its pull request with it; the daemon is restarted for that. */
async function findFaultsOfTransfer(killAt: (place: string) => boolean): Promise<readonly string[]> {
  const bed = await openEngineBed({ isRemote: "later", killAt, deaths: 2 });
  const stuck = await liveTransferred(bed).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...(await judgeTransferred(bed))];
}

async function listPlacesOfTransfer(): Promise<readonly string[]> {
  const places: string[] = [];
  expect(await findFaultsOfTransfer((place) => places.push(place) === 0)).toEqual([]);
  return places;
}

/** A life whose merge breaks the base. */
async function findFaultsOfGuard(killAt: (place: string) => boolean): Promise<readonly string[]> {
  const bed = await openGuardBed({ killAt });
  const stuck = await liveWithGuard(bed).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...judgeGuard(bed)];
}

async function listPlacesOfGuard(): Promise<readonly string[]> {
  const places: string[] = [];
  expect(await findFaultsOfGuard((place) => places.push(place) === 0)).toEqual([]);
  return places;
}

/** A life whose agent gets a stranger's words, and loses its network first. */
async function findFaultsOfUntrusted(killAt: (place: string) => boolean): Promise<readonly string[]> {
  const bed = await openEngineBed({ isRemote: true, killAt });
  const stuck = await liveUntrusted(bed).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...stuck, ...(await judgeUntrusted(bed))];
}

async function listPlacesOfUntrusted(): Promise<readonly string[]> {
  const places: string[] = [];
  expect(await findFaultsOfUntrusted((place) => places.push(place) === 0)).toEqual([]);
  return places;
}

async function listPlacesOnForge(): Promise<readonly string[]> {
  const places: string[] = [];
  expect(await findFaultsOnForge((place) => places.push(place) === 0)).toEqual([]);
  return places;
}

/** Every place that an undisturbed life passes, in order: fault points, and the answers of ports. */
async function listPlaces(): Promise<readonly string[]> {
  const places: string[] = [];
  const faults = await findFaults({ killAt: (place) => places.push(place) === 0 });
  expect(faults).toEqual([]);
  return places;
}

/** Dies at the nth place that it passes. */
function killAtNumber(number: number): (place: string) => boolean {
  let passed = 0;
  return () => {
    passed += 1;
    return passed === number;
  };
}

describe("a daemon that dies between two steps", () => {
  it("passes the fault points of every executor in its lives", async () => {
    const places = [
      ...(await listPlaces()),
      ...(await listPlacesOnForge()),
      ...(await listPlacesOfTransfer()),
      ...(await listPlacesOfGuard()),
      ...(await listPlacesOfUntrusted()),
    ];
    const kinds = Object.keys(executors);
    for (const point of ["start:after", "execute:before", "execute:after", "outcome:after"]) {
      expect(kinds.filter((kind) => !places.includes(`${point} ${kind}`))).toEqual([]);
    }
  });

  it("performs every effect exactly once and loses nothing, wherever it dies", async () => {
    const places = await listPlaces();
    const failures: string[] = [];
    for (const [index, place] of places.entries()) {
      const faults = await findFaults({ killAt: killAtNumber(index + 1) });
      failures.push(...faults.map((fault) => `${index + 1} (${place}): ${fault}`));
    }
    expect(failures).toEqual([]);
    expect(places.length).toBeGreaterThan(200);
  });

  it("opens, pushes, writes and merges once on a remote forge, and reports each fact once, wherever it dies", async () => {
    const places = await listPlacesOnForge();
    const failures: string[] = [];
    for (const [index, place] of places.entries()) {
      // The places of effects that the other life has too are tested there.
      const isOfForge =
        /forge\.|ensureChange|(open|publish|write)-change|change\.(opened|observed|published|write)/.test(place);
      if (!isFull && !isOfForge) continue;
      const faults = await findFaultsOnForge(killAtNumber(index + 1));
      failures.push(...faults.map((fault) => `${index + 1} (${place}): ${fault}`));
    }
    expect(failures).toEqual([]);
  });

  it("opens a local pull request once on the forge that its project moved to, wherever it dies", async () => {
    const places = await listPlacesOfTransfer();
    const failures: string[] = [];
    for (const [index, place] of places.entries()) {
      if (!isFull && !/transfer|ensureChange|(forge|scm)\.(write|merge)/.test(place)) continue;
      const faults = await findFaultsOfTransfer(killAtNumber(index + 1));
      failures.push(...faults.map((fault) => `${index + 1} (${place}): ${fault}`));
    }
    expect(failures).toEqual([]);
  });

  it("reverts a merge that broke the base once, and notifies its agent once, wherever it dies", async () => {
    const places = await listPlacesOfGuard();
    const failures: string[] = [];
    for (const [index, place] of places.entries()) {
      if (!isFull && !/revert|main\.|check-commit/.test(place)) continue;
      const faults = await findFaultsOfGuard(killAtNumber(index + 1));
      failures.push(...faults.map((fault) => `${index + 1} (${place}): ${fault}`));
    }
    expect(failures).toEqual([]);
  });

  it("takes the network before untrusted words arrive, and passes them on once, wherever it dies", async () => {
    const places = await listPlacesOfUntrusted();
    const failures: string[] = [];
    for (const [index, place] of places.entries()) {
      // The other lives have the rest.
      if (!isFull && !/restrict-network|gate\.|send-message|start-run/.test(place)) continue;
      const faults = await findFaultsOfUntrusted(killAtNumber(index + 1));
      failures.push(...faults.map((fault) => `${index + 1} (${place}): ${fault}`));
    }
    expect(failures).toEqual([]);
  });

  it.each(["inbox", "file", "terminal"] as const)(
    "loses no message when the agent dies or the session is restored, with input by %s",
    async (input) => {
      const places: string[] = [];
      expect(await findFaultsOfReturn(input, (place) => places.push(place) === 0)).toEqual([]);
      const failures: string[] = [];
      for (let number = 1; number <= places.length; number += 1) {
        // A new daemon cannot see a commit that did not happen.
        if (!isFull && number % 7 !== 0 && places[number - 1] !== "commit:before ") continue;
        const faults = await findFaultsOfReturn(input, killAtNumber(number));
        failures.push(...faults.map((fault) => `${number} (${places[number - 1]}): ${fault}`));
      }
      expect(failures).toEqual([]);
      expect(places.length).toBeGreaterThan(200);
    },
    120_000,
  );
});
