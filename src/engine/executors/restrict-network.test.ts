import { describe, expect, it } from "vitest";
import { type BedOptions, type EngineBed, openEngineBed } from "../../testing/engine-bed/engine-bed.ts";
import { judgeUntrusted, KEPT_HOSTS, liveUntrusted } from "../../testing/engine-bed/untrusted-story.ts";

async function live(options: BedOptions = {}, prepare: (bed: EngineBed) => void = () => undefined): Promise<EngineBed> {
  const bed = await openEngineBed({ isRemote: true, ...options });
  prepare(bed);
  await liveUntrusted(bed);
  return bed;
}

describe("taking the network from an agent", () => {
  it("happens before it gets untrusted words, and its next run starts without", async () => {
    const bed = await live();
    expect(await judgeUntrusted(bed)).toEqual([]);
    const { diary, runtime } = bed.world;
    expect(diary.map(({ run, onlyHosts }) => [run, onlyHosts])).toEqual([
      [1, null],
      [1, KEPT_HOSTS],
      [2, KEPT_HOSTS],
    ]);
    expect(runtime.starts).toHaveLength(2);
  });

  it("restarts an agent whose proxy does not obey, and the words reach only the restarted one", async () => {
    const bed = await live({}, ({ world }) => {
      world.gate.isObeying = false;
    });
    const { diary } = bed.world;
    expect(
      diary.filter(({ text }) => text.includes("mallory.example")).map(({ run, onlyHosts }) => [run, onlyHosts]),
    ).toEqual([[2, KEPT_HOSTS]]);
    const events = await bed.store.read(0, Number.MAX_SAFE_INTEGER);
    const failed = events.flatMap(({ event }) => (event.type === "run.restrict-failed" ? [event.reason] : []));
    expect(failed).toEqual(["The proxy of the sandbox did not confirm the hosts that the agent may reach."]);
  });

  it("is noticed by the judge of the crash tests if it does not happen", async () => {
    const ports: BedOptions["ports"] = ({ gate }) => ({ gate: { ...gate, restrict: async () => true } });
    const faults = await judgeUntrusted(await live({ ports }));
    expect(faults).toEqual([expect.stringMatching(/arrived while the network was open$/)]);
  });
});
