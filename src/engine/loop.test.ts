import { describe, expect, it } from "vitest";
import { tieKey } from "../core/command-key.ts";
import { AoError } from "../core/errors.ts";
import { createSilentLog } from "../platform/log.ts";
import { type Batch, NO_CHANGES, type Store, type StoredEvent } from "../ports/store.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { noFaults } from "./fault.ts";
import { createLoop, type Loop } from "./loop.ts";
import { type CommandResult, RECORDED_BEFORE } from "./submission.ts";

async function aLoop(
  store: Store = createMemoryStore(),
): Promise<{ loop: Loop; clock: ReturnType<typeof createFakeClock> }> {
  const clock = createFakeClock(1000);
  const loop = createLoop({ store, loaded: await store.load(), clock, log: createSilentLog(), faults: noFaults });
  return { loop, clock };
}

function breakable(): { store: Store; batches: Batch[]; setBroken(broken: boolean): void } {
  const inner = createMemoryStore();
  const batches: Batch[] = [];
  let isBroken = false;
  const append = async (batch: Batch, position: number): Promise<readonly StoredEvent[]> => {
    if (isBroken) throw new AoError({ code: "disk-full", message: "full" });
    batches.push(batch);
    return inner.append(batch, position);
  };
  return { store: { ...inner, append }, batches, setBroken: (broken) => (isBroken = broken) };
}

describe("the loop", () => {
  it("answers after the commit, and publishes what was committed", async () => {
    const { loop } = await aLoop();
    const heard: string[] = [];
    loop.subscribe((events) => heard.push(...events.map(({ event }) => event.type)));
    await loop.submit({ input: { type: "fleet.pause", projectId: null } });
    expect(loop.world.view.fleet().paused).toBe(true);
    expect(heard).toEqual(["fleet.paused"]);
  });

  it("tells every listener what was committed, and answers, although one of them fails", async () => {
    const { loop } = await aLoop();
    const heard: string[] = [];
    loop.subscribe(() => {
      throw new Error("broken");
    });
    loop.subscribe((events) => heard.push(...events.map(({ event }) => event.type)));
    await loop.submit({ input: { type: "fleet.pause", projectId: null } });
    expect(heard).toEqual(["fleet.paused"]);
  });

  it("records nothing from a range of a source that was committed before, not even within one commit", async () => {
    const store = createMemoryStore();
    await store.append({ ...NO_CHANGES, positions: [{ source: "out", position: 10 }] }, 0);
    const { loop } = await aLoop(store);
    const heard: string[] = [];
    loop.subscribe((events) => heard.push(...events.map(({ event }) => event.type)));
    const pause = { type: "fleet.pause", projectId: null } as const;
    const read = (from: number, position: number): Promise<CommandResult> =>
      loop.submit({ input: pause, positions: [{ source: "out", from, position }] });
    expect(await read(0, 20)).toBe(RECORDED_BEFORE);
    const others = [read(10, 20), read(10, 30), read(20, 30)];
    expect((await Promise.all(others)).map((result) => result === RECORDED_BEFORE)).toEqual([false, true, false]);
    expect(await read(20, 40)).toBe(RECORDED_BEFORE);
    expect(heard).toEqual(["fleet.paused"]);
    expect(loop.readTo("out")).toBe(30);
    expect((await store.load()).positions.get("out")).toBe(30);
  });

  it("lets waiting inputs share a commit", async () => {
    const { store, batches } = breakable();
    const { loop } = await aLoop(store);
    const first = loop.submit({ input: { type: "fleet.limit", limit: 1 } });
    const others = [2, 3, 4].map((limit) => loop.submit({ input: { type: "fleet.limit", limit } }));
    await Promise.all([first, ...others]);
    expect(batches.length).toBe(2);
    expect(loop.world.view.fleet().limit).toBe(4);
  });

  it("changes nothing if a commit fails, reports it, and continues when the store works again", async () => {
    const { store, setBroken } = breakable();
    const { loop, clock } = await aLoop(store);
    setBroken(true);
    await expect(loop.submit({ input: { type: "fleet.pause", projectId: null } })).rejects.toThrow("full");
    expect(loop.world.view.fleet().paused).toBe(false);
    expect(loop.trouble()?.code).toBe("disk-full");
    expect(loop.lastPosition()).toBe(0);
    setBroken(false);
    let woken = 0;
    loop.subscribe(() => {
      woken += 1;
    });
    await clock.advance(1000);
    expect(loop.trouble()).toBeNull();
    expect(woken).toBe(1);
  });

  it("carries out a command with the same key once, and repeats the first answer", async () => {
    const { store } = breakable();
    const { loop } = await aLoop(store);
    await loop.submit({ input: { type: "fleet.pause", projectId: null }, key: "k" });
    await loop.submit({ input: { type: "fleet.resume", projectId: null } });
    await loop.submit({ input: { type: "fleet.pause", projectId: null }, key: "k" });
    expect(loop.world.view.fleet().paused).toBe(false);
  });

  it("rejects a key that comes with another request, even after a restart", async () => {
    const { store } = breakable();
    const { loop } = await aLoop(store);
    const pause = { input: { type: "fleet.pause", projectId: null } as const, key: tieKey("k", "pause") };
    await loop.submit(pause);
    const resume = { input: { type: "fleet.resume", projectId: null } as const, key: tieKey("k", "resume") };
    await expect(loop.submit(resume)).rejects.toMatchObject({ code: "key-reused" });
    const { loop: next } = await aLoop(store);
    await expect(next.submit(resume)).rejects.toMatchObject({ code: "key-reused" });
    await expect(next.submit(pause)).resolves.toEqual({});
    expect(next.world.view.fleet().paused).toBe(true);
  });

  it("does not remember a rejected command, so that it can be retried", async () => {
    const { loop } = await aLoop();
    const pause = { input: { type: "fleet.pause", projectId: "p" } as const, key: "k" };
    await expect(loop.submit(pause)).rejects.toThrow(/no project/);
    await expect(loop.submit(pause)).rejects.toThrow(/no project/);
  });

  it("never lets time run backwards", async () => {
    const store = createMemoryStore();
    const { loop, clock } = await aLoop(store);
    await loop.submit({ input: { type: "fleet.pause", projectId: null } });
    clock.set(10);
    await loop.submit({ input: { type: "fleet.resume", projectId: null } });
    expect((await store.read(0, 10)).map(({ at }) => at)).toEqual([1000, 1000]);
  });

  it("notices with the next input that the machine slept, before anything is decided", async () => {
    const { loop, clock } = await aLoop();
    const heard: string[] = [];
    loop.subscribe((events) => heard.push(...events.map(({ event }) => event.type)));
    await clock.advance(9000);
    await loop.submit({ input: { type: "fleet.pause", projectId: null } });
    // A clock that was moved without its timers looks like a suspended machine.
    clock.set(9_000_000);
    await loop.submit({ input: { type: "fleet.resume", projectId: null } });
    expect(heard).toEqual(["fleet.paused", "daemon.woke", "fleet.resumed"]);
    expect(loop.world.view.fleet().watchedSince).toBe(9_000_000);
  });

  it("notices it by its own heartbeat too, which may be the first due after the machine slept", async () => {
    const { loop, clock } = await aLoop();
    const heard: string[] = [];
    loop.subscribe((events) => heard.push(...events.map(({ event }) => event.type)));
    await clock.advance(9_000_000);
    await loop.submit({ input: { type: "fleet.pause", projectId: null } });
    expect(heard).toEqual(["daemon.woke", "fleet.paused"]);
  });

  it("records a sleep with the next commit that works, when the first one failed", async () => {
    const { store, setBroken } = breakable();
    const { loop, clock } = await aLoop(store);
    const heard: string[] = [];
    loop.subscribe((events) => heard.push(...events.map(({ event }) => event.type)));
    clock.set(9_000_000);
    setBroken(true);
    await expect(loop.submit({ input: { type: "fleet.pause", projectId: null } })).rejects.toThrow("full");
    setBroken(false);
    await loop.submit({ input: { type: "fleet.pause", projectId: null } });
    expect(heard).toEqual(["daemon.woke", "fleet.paused"]);
    expect(loop.world.view.fleet().watchedSince).toBe(9_000_000);
  });

  it("notices it between two inputs that waited together with others", async () => {
    const store = createMemoryStore();
    const { loop, clock } = await aLoop(store);
    const heard: string[] = [];
    loop.subscribe((events) => {
      if (heard.length === 0) clock.set(9_000_000);
      heard.push(...events.map(({ event }) => event.type));
    });
    const first = loop.submit({ input: { type: "fleet.pause", projectId: null } });
    const second = loop.submit({ input: { type: "fleet.resume", projectId: null } });
    await Promise.all([first, second]);
    expect(heard).toEqual(["fleet.paused", "daemon.woke", "fleet.resumed"]);
  });

  it("accepts nothing more after it is closed", async () => {
    const { loop } = await aLoop();
    loop.close();
    await expect(loop.submit({ input: { type: "timer" } })).rejects.toThrow(/shutting down/);
  });
});
