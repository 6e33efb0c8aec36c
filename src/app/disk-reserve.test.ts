import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ActionsBed, openActionsBed, SESSION } from "../../test/support/actions-bed.ts";
import { AoError } from "../core/errors.ts";
import type { Batch, Store } from "../ports/store.ts";
import { aCreate } from "../testing/builders.ts";
import { scripted } from "../testing/fakes/scripted.ts";
import { createMemoryStore } from "../testing/memory-store.ts";

const FLOOD = "demo-flood";
const FULL = new AoError({ code: "disk-full", message: "full" });

interface FloodedBed extends ActionsBed {
  /** The state of the run whose agent fills the disk. */
  probe(): Promise<string>;
}

/** An agent that fills the disk as soon as it starts: nothing fits any more, not even that it started. */
async function startFlood(fits: (batch: Batch) => boolean = () => false): Promise<FloodedBed> {
  const inner = createMemoryStore();
  const isFull = { now: async () => false };
  const append: Store["append"] = async (batch, position) => {
    if (!fits(batch) && (await isFull.now())) throw FULL;
    return inner.append(batch, position);
  };
  const opened = await openActionsBed({ store: { ...inner, append } });
  const { bed, kernel } = opened;
  const ref = { sessionId: FLOOD, run: 1, runDir: kernel.runDir(FLOOD, 1) };
  const probe = async (): Promise<string> => (await bed.world.runtime.runtime.probe(ref)).kind;
  const start = bed.world.scripts.runtime.holdNext("start");
  await bed.submit(aCreate({ title: "Flood", messageId: "m-flood" }), "flood");
  await start.arrived();
  isFull.now = async () => (await probe()) === "alive";
  start.open();
  await bed.world.clock.advance(1000);
  expect(await probe()).toBe("alive");
  expect(bed.engine.loop.trouble()?.code).toBe("disk-full");
  expect(bed.engine.loop.world.view.session(FLOOD)?.run.state).toBe("starting");
  return { ...opened, probe };
}

describe("stopping an agent that filled the disk before its start was recorded", () => {
  it.each([
    ["on a full disk", undefined],
    [
      "if just the stop fits",
      ({ events }: Batch) => events.some(({ event }) => event.type === "session.stop-requested"),
    ],
  ])("ends it %s", async (_, fits) => {
    const { actions, bed, until, probe } = await startFlood(fits);
    const stopped = actions.stopSession(FLOOD, { wait: false }, {});
    // In steps: a retry sets its timer only after the one before it failed.
    for (let passed = 0; passed < 15_000; passed += 100) await bed.world.clock.advance(100);
    await stopped;
    expect(await probe()).toBe("exited");
    await until("the session to be stopped", () => bed.engine.loop.world.view.session(FLOOD)?.phase === "stopped");
    expect(bed.engine.loop.trouble()).toBeNull();
  });
});

it("frees everything but the end of its output, and of its terminal", async () => {
  const { actions, bed, kernel, probe } = await startFlood();
  const { fs } = bed.world.machine.host;
  const MIB = 1024 * 1024;
  const paths = ["out", "err", "screen"].map((name) => join(kernel.runDir(FLOOD, 1), name));
  for (const path of paths) await fs.writeText(path, "x".repeat(3 * MIB));
  const stopped = actions.stopSession(FLOOD, { wait: false }, {});
  for (let passed = 0; passed < 15_000; passed += 100) await bed.world.clock.advance(100);
  await stopped;
  expect(await probe()).toBe("exited");
  const freed = paths.map(async (path) => (await fs.readBytes(path, 0, 3 * MIB))?.indexOf(120));
  expect(await Promise.all(freed)).toEqual([2 * MIB, 2 * MIB, 2 * MIB]);
});

it("frees no output of an agent that the engine can end, for it may not have been read yet", async () => {
  const { port: store, script } = scripted(createMemoryStore());
  const { actions, bed, kernel, until } = await openActionsBed({ store });
  const { fs } = bed.world.machine.host;
  const out = join(kernel.runDir(SESSION, 1), "out");
  const printed = `${(await fs.readText(out)) ?? ""}${"a long line\n".repeat(200_000)}`;
  await fs.writeText(out, printed);
  script.failNext("append", FULL);
  await expect(bed.submit({ type: "fleet.pause", projectId: null })).rejects.toThrow("full");
  expect(bed.engine.loop.trouble()?.code).toBe("disk-full");
  await actions.stopSession(SESSION, { wait: false }, {});
  await until("the session to be stopped", () => bed.engine.loop.world.view.session(SESSION)?.phase === "stopped");
  expect((await fs.readText(out))?.startsWith(printed)).toBe(true);
});
