import { describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { liveRound, makeRound } from "./loop-round.ts";
import { hasTmux, type Strike } from "./loop-strike.ts";
import { ALL_TASKS } from "./loop-tasks.ts";

// Enough for every kind of victim; the count that finds rare failures is for the full run.
const KILLS = isFull ? 200 : 8;
/** One round takes at most this many kills; then everything must be merged and judged. */
const KILLS_PER_ROUND = 20;

/** Slow enough to be killed while running, and so is its set-up. */
const SLOW_CHECKS = {
  checkSeconds: 0.3,
  files: { "setup.sh": "sleep 0.1 && mkdir dep && echo installed >dep/file\n" },
  checks: { test: { run: "sh check.sh", setup: "sh setup.sh" } },
};

async function live(seed: number, kills: number): ReturnType<typeof liveRound> {
  const fleet = await makeRound(ALL_TASKS, SLOW_CHECKS);
  await fleet.open();
  const round = await liveRound(fleet, ALL_TASKS, { kills, seed, terminal: hasTmux });
  await fleet.dispose();
  return round;
}

describe("the loop under SIGKILL at random moments", () => {
  it(`merges every task, loses and doubles nothing in ${KILLS} kills of daemon, agents, holders, checks and tmux`, async () => {
    const [failures, struck]: [string[], Strike[]] = [[], []];
    let [seed, left] = [2000, KILLS];
    const liveOn = async (): Promise<void> => {
      while (left > 0) {
        const [own, kills] = [seed, Math.min(KILLS_PER_ROUND, left)];
        [seed, left] = [seed + 1, left - kills];
        const round = await live(own, kills);
        failures.push(...round.faults.map((fault) => `seed ${own}: ${fault}`));
        struck.push(...round.struck);
        // A round may be over before all of its kills.
        left += kills - round.struck.length;
      }
    };
    // Two rounds at the same time, since they mostly wait.
    await Promise.all([liveOn(), liveOn()]);
    const count = (kind: string): number => struck.filter((one) => one.kind === kind).length;
    console.log(
      `killed: ${["daemon", "agent", "holder", "check", "tmux"].map((kind) => `${kind} ${count(kind)}`).join(", ")}`,
    );
    expect(failures).toEqual([]);
    for (const kind of ["daemon", "agent", "holder"]) expect(count(kind), kind).toBeGreaterThan(0);
  });
});
