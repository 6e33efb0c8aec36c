import type { EngineBed } from "../../src/testing/engine-bed/engine-bed.ts";
import { type ForgeFleet, openForgeFleet } from "./forge-fleet.ts";

const HOUR = 60 * 60_000;
const REPOSITORIES = 5;

export interface ForgeFigures {
  readonly pullRequests: number;
  /** Requests per hour. */
  readonly polling: number;
  /** Requests in an hour in which one check turns red. */
  readonly pollingRed: number;
  readonly webhooks: number;
  readonly webhooksRed: number;
  /** From the red check until its agent has the message, on the clock of the fleet. */
  readonly pollingMs: number;
  /** Programs that were started in all of that. */
  readonly started: number;
}

/** The cost of watching this many pull requests: the real engine and plugin on a fake clock and the fake GitHub. */
export async function measureForge(pullRequests: number, folder: string): Promise<ForgeFigures> {
  const fleet = await openForgeFleet({ folder, pullRequests, repositories: Math.min(REPOSITORIES, pullRequests) });
  const { bed, github } = fleet;
  const inAnHour = async (begin: () => Promise<unknown> = async () => undefined): Promise<number> => {
    const before = github.seen.length;
    await begin();
    await bed.advance(HOUR);
    return github.seen.length - before;
  };
  const polling = await inAnHour();
  let pollingMs = Number.NaN;
  const pollingRed = await inAnHour(async () => {
    pollingMs = await timeRedCheck(fleet);
  });
  fleet.deliver();
  await bed.advance(HOUR);
  const webhooks = await inAnHour(async () => fleet.deliver());
  const webhooksRed = await inAnHour(async () => {
    const before = messages(bed);
    turnRed(fleet);
    fleet.deliver([1]);
    await bed.idle();
    if (messages(bed) === before) throw new Error("the delivery did not reach the agent");
  });
  await fleet.close();
  return { pullRequests, polling, pollingRed, webhooks, webhooksRed, pollingMs, started: fleet.started.length };
}

/** A check of the agent's pull request fails. */
export function turnRed({ repositories: [first] }: ForgeFleet): void {
  first?.checks.fail(1, { name: "build", log: "expected 1, got 2" });
}

/** How many messages about a red check the agent got. */
export function messages({ world }: EngineBed): number {
  return world.diary.filter(({ text }) => text.includes("!commit fixed.txt")).length;
}

/** From a red check until its agent has the message, on the clock of the fleet. */
export async function timeRedCheck(fleet: ForgeFleet): Promise<number> {
  const { bed } = fleet;
  const before = messages(bed);
  const from = bed.world.clock.now();
  turnRed(fleet);
  while (messages(bed) === before) await bed.advance(1000);
  return bed.world.clock.now() - from;
}
