import { describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { type HardRound, liveHardRound } from "./hardship-round.ts";
import { PLAIN, RED } from "./loop-tasks.ts";

/** Each seed is a separate round. One round shows that it works at all; the full run finds rare failures. */
const ROUNDS = isFull ? 20 : 1;
const ROUND = isFull
  ? { tasks: [RED], count: 9, holdMs: 2500, asking: 0.3, limitMs: 300_000 }
  : { tasks: [PLAIN], count: 8, holdMs: 400, limitMs: 120_000 };

describe("a wrong clock, a frozen daemon, a full disk and the user's own git", () => {
  it(`lose and double nothing in ${ROUNDS === 1 ? "a round" : `${ROUNDS} rounds`}, and no wait is without end`, async () => {
    const failures: string[] = [];
    for (let seed = 3000; seed < 3000 + ROUNDS; seed += 1) {
      const { faults, imposed, slowestMs } = await liveHardRound({ ...ROUND, seed });
      console.log(
        `seed ${seed}: ${imposed.join(", ")}; slowest answer ${slowestMs} ms; ${faults.length} faults`,
        ...faults,
      );
      failures.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
    }
    expect(failures).toEqual([]);
  }, 7_200_000);
});

/** A bug shows only if a hardship comes at the right moment, so each gets several rounds to be caught in. */
const TRIES = 5;
const ALONE = { tasks: [], holdMs: 2000, limitMs: 20_000 };

/** The planted bug, the hardship, and what the checker must say. */
const PLANTS: readonly (readonly [name: string, round: Omit<HardRound, "seed">, found: RegExp])[] = [
  [
    "waits by the time of day",
    { ...ALONE, plant: "frozen-clock", kinds: ["clock-back", "kill-agent"], count: 6 },
    /waited .* for: the keeper to be/,
  ],
  [
    "takes its own standstill for a lost message",
    { ...ALONE, plant: "impatient", kinds: ["freeze-daemon"], count: 6 },
    /came twice/,
  ],
  [
    "moves a worktree without a lock",
    { ...ALONE, plant: "unlocked-move", kinds: ["prune"], count: 20 },
    /no longer belongs to a repository|uncommitted work is|branch could not be deleted/,
  ],
  [
    "saves work under no ref",
    { ...ALONE, plant: "unreferenced", kinds: ["gc"], count: 12, pruneAge: "now" },
    /uncommitted work is|waited .* for: the keeper to be/,
  ],
  [
    "leaves half a message on a full disk",
    { ...ALONE, plant: "torn-append", kinds: ["full-disk"], count: 6 },
    /a torn line reached|was never confirmed/,
  ],
];

// The planted bugs test the checker; src/engine and src/plugins/workspace test what they break.
describe.skipIf(!isFull)("a planted bug is caught (only in test:full): a daemon that", () => {
  it.each(PLANTS)("%s", async (_name, planted, found) => {
    const faults: string[] = [];
    for (let seed = 1; seed <= TRIES && !faults.some((fault) => found.test(fault)); seed += 1) {
      faults.push(...(await liveHardRound({ ...planted, seed })).faults);
    }
    expect(faults).toContainEqual(expect.stringMatching(found));
  });

  it("has none of these bugs passes under the same hardships", async () => {
    for (const [name, { plant: _, ...honest }] of PLANTS) {
      const { faults } = await liveHardRound({ ...honest, limitMs: 300_000, seed: 1 });
      expect(faults, name).toEqual([]);
    }
  });
});
