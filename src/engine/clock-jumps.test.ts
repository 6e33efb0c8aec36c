import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCreate } from "../testing/builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { judge } from "../testing/engine-bed/judge.ts";
import { createPerson, liveOnce, registerProject } from "../testing/engine-bed/story.ts";
import { isFull } from "../testing/full.ts";

const HOUR = 3_600_000;

/** The same bed, with a different wall clock time before each restart. */
function withJumps(bed: EngineBed, jumpMs: number): EngineBed {
  const restart = async (): Promise<void> => {
    bed.world.clock.set(Math.max(0, bed.world.clock.now() + jumpMs));
    await bed.restart();
  };
  return Object.create(bed, { restart: { value: restart } }) as EngineBed;
}

describe("a clock that was changed", () => {
  it("freezes no retry, although the last event is from the future", async () => {
    const bed = await openEngineBed();
    const person = createPerson(bed);
    await registerProject(person);
    await person.command(aCreate({ prompt: { inline: "!exit 3" } }), "create");
    await person.until("the first run", () => bed.world.runtime.starts.length > 0);
    const { clock } = bed.world;
    const runs = bed.world.runtime.starts.length;
    const before = clock.now();
    clock.set(before + 2 * HOUR);
    await person.command({ type: "fleet.pause", projectId: null }, "pause");
    await person.command({ type: "fleet.resume", projectId: null }, "resume");
    bed.kill();
    clock.set(before);
    await bed.restart();
    expect(bed.engine.loop.now() - clock.now()).toBe(2 * HOUR);
    await person.until("the next runs", () => bed.world.runtime.starts.length > runs);
  });

  it("stops no story, wherever the daemon dies and whatever time it is afterwards", async () => {
    const jump = fc.integer({ min: -48 * HOUR, max: 48 * HOUR });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), jump, async (deathAt, jumpMs) => {
        let passed = 0;
        const killAt = (): boolean => {
          passed += 1;
          return passed === deathAt;
        };
        const bed = withJumps(await openEngineBed({ killAt }), jumpMs);
        await liveOnce(bed);
        expect(await judge(bed)).toEqual([]);
      }),
      { numRuns: isFull ? 200 : 12 },
    );
  });
});
