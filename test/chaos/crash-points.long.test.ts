import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { makeFleet } from "../support/fleet.ts";
import { choosePlaces, expectToDieEverywhere, planDeaths } from "./crash-places.ts";
import { liveOnce } from "./crash-scenario.ts";
import { leaveUnread } from "./unread-message.ts";

const entry = fileURLToPath(new URL("../fixtures/faulty-daemon.mjs", import.meta.url));

/** Every place that an undisturbed life of a session passes, in order. */
async function listPlaces(): Promise<{ readonly places: readonly string[]; readonly faults: readonly string[] }> {
  const fleet = await makeFleet({ entry });
  const log = join(fleet.dir, "places.log");
  await fleet.start({ AO_FAULT_LOG: log });
  const faults = await liveOnce(fleet);
  const places = readFileSync(log, "utf8").trimEnd().split("\n");
  await fleet.dispose();
  return { places, faults };
}

async function crashAt(place: string, plant = "", extra = "", limitMs = PATIENCE_MS): Promise<readonly string[]> {
  const fleet = await makeFleet({ entry });
  try {
    const isLeft = extra === "" ? null : leaveUnread(fleet, { sessionId: "demo-one", index: 1 });
    await fleet.start({ AO_FAULT_AT: place, AO_PLANT: plant });
    const faults = await liveOnce({ ...fleet, start: () => fleet.start({ AO_PLANT: plant }) }, extra, limitMs);
    await isLeft;
    return faults;
  } finally {
    await fleet.dispose();
  }
}

/** One life in which one daemon after another dies; their variables say where. */
async function crashAgainAndAgain(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const fleet = await makeFleet({ entry, env });
  try {
    await fleet.start();
    return await liveOnce(fleet);
  } finally {
    await fleet.dispose();
  }
}

/** One life in which one daemon after another dies, at the next of these places. */
async function crashAtEach(places: readonly string[]): Promise<readonly string[]> {
  const deaths = planDeaths(places);
  const faults = await crashAgainAndAgain(deaths.env);
  return [...faults, ...deaths.left().map((place) => `nobody died at ${place}`)];
}

describe("a daemon that is killed between two steps", () => {
  it(`keeps every guarantee at ${isFull ? "every boundary" : "a sample of boundaries (test:full: at every boundary)"}`, async () => {
    const { places, faults } = await listPlaces();
    expect(faults).toEqual([]);
    if (isFull) {
      expect(places.length).toBeGreaterThan(150);
      await expectToDieEverywhere(places, crashAgainAndAgain);
      return;
    }
    const chosen = choosePlaces(places);
    expect(chosen.length).toBeGreaterThan(4);
    // Two lives, and in each every other place, so that deaths are some steps apart.
    const lives = [0, 1].map((life) => crashAtEach(chosen.filter((_, index) => index % 2 === life)));
    expect((await Promise.all(lives)).flat()).toEqual([]);
  });

  // The agent reads nothing until the second daemon has decided about the message that the first one was sending.
  const busy = "\n!busy";

  it("is caught when it resends without checking (planted bug)", async () => {
    const faults = await crashAt("execute:after send-message#2", "blind-retry", busy);
    expect(faults).toContainEqual(expect.stringMatching(/second message came (twice|again)/));
  });

  it("is caught when it assumes that started work was finished (planted bug)", async () => {
    const faults = await crashAt("execute:before send-message#2", "blind-trust", busy, 10_000).catch(
      (error: unknown) => [String(error)],
    );
    expect(faults).toContainEqual(expect.stringMatching(/waited .* for: session|second message was never confirmed/));
  });
});
