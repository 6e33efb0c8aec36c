import { describe, expect, it, onTestFinished } from "vitest";
import { tempDir } from "../src/testing/temp.ts";
import { type ForgeFleet, openForgeFleet } from "./support/forge-fleet.ts";
import { messages, timeRedCheck, turnRed } from "./support/measure-forge.ts";

const MINUTE = 60_000;

async function aFleet(): Promise<ForgeFleet> {
  const fleet = await openForgeFleet({ folder: tempDir(), pullRequests: 50, repositories: 5 });
  onTestFinished(fleet.close);
  return fleet;
}

/** Requests to GitHub while time passes. */
async function requestsIn({ bed, github }: ForgeFleet, ms: number): Promise<number> {
  const before = github.seen.length;
  await bed.advance(ms);
  return github.seen.length - before;
}

describe("fifty pull requests of five repositories on GitHub", () => {
  it("cost one request a minute and no process while nothing happens, and a red check reaches its agent within one interval", async () => {
    const fleet = await aFleet();
    expect(await requestsIn(fleet, 5 * MINUTE)).toBe(5);
    expect(fleet.started).toEqual([]);
    expect(await timeRedCheck(fleet)).toBeLessThanOrEqual(MINUTE);
    expect(messages(fleet.bed)).toBe(1);
  });

  it("cost no request while webhooks work and nothing happens, and one message when webhook and poll report the same failure", async () => {
    const fleet = await aFleet();
    fleet.deliver();
    // Beyond the poll that makes up for lost deliveries, once in half an hour.
    await fleet.bed.advance(30 * MINUTE);
    expect(await requestsIn(fleet, 20 * MINUTE)).toBe(0);
    turnRed(fleet);
    fleet.deliver([1]);
    await fleet.bed.idle();
    expect(messages(fleet.bed)).toBe(1);
    fleet.deliver([1]);
    await fleet.bed.advance(20 * MINUTE);
    expect(messages(fleet.bed)).toBe(1);
    expect(fleet.started).toEqual([]);
  });
});
