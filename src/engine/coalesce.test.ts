import { describe, expect, it } from "vitest";
import { createGate, type Gate, nextTurn } from "../testing/gate.ts";
import { createActivity } from "./activity.ts";
import { type Coalescer, createCoalescer } from "./coalesce.ts";

interface Scene {
  readonly coalescer: Coalescer<string>;
  readonly gate: Gate;
  /** Keys in the order in which runs started. */
  readonly begun: string[];
  most(): number;
  isIdle(): Promise<boolean>;
}

/** A coalescer whose runs wait at a gate. */
function setUp(inRun?: (coalescer: Coalescer<string>, run: number) => void): Scene {
  const gate = createGate();
  const begun: string[] = [];
  const activity = createActivity();
  let running = 0;
  let most = 0;
  const coalescer: Coalescer<string> = createCoalescer<string>(async (key) => {
    begun.push(key);
    running += 1;
    most = Math.max(most, running);
    inRun?.(coalescer, begun.length);
    await gate.pass().finally(() => {
      running -= 1;
    });
  }, activity);
  const isIdle = (): Promise<boolean> => Promise.race([activity.idle().then(() => true), nextTurn().then(() => false)]);
  return { coalescer, gate, begun, most: () => most, isIdle };
}

describe("a coalescer", () => {
  it("runs once for one request", async () => {
    const { coalescer, gate, begun } = setUp();
    gate.open();
    await coalescer.request("a");
    expect(begun).toEqual(["a"]);
    expect(coalescer.isRunning("a")).toBe(false);
  });

  it("runs once more for any number of requests during a run", async () => {
    const { coalescer, gate, begun, most } = setUp();
    const first = coalescer.request("a");
    await gate.arrived();
    const others = [coalescer.request("a"), coalescer.request("a"), coalescer.request("a")];
    gate.open();
    await first;
    gate.open();
    await Promise.all(others);
    expect(begun).toEqual(["a", "a"]);
    expect(most()).toBe(1);
  });

  it("answers a request only with a run that started after it", async () => {
    const { coalescer, gate, begun } = setUp();
    const first = coalescer.request("a");
    await gate.arrived();
    let answered = false;
    const second = coalescer.request("a").then(() => {
      answered = true;
    });
    gate.open();
    await first;
    await nextTurn();
    expect(answered).toBe(false);
    gate.open();
    await second;
    expect(begun).toEqual(["a", "a"]);
  });

  it("gives a request its own run if the current one has read everything but not ended", async () => {
    const { coalescer, gate, begun } = setUp();
    const first = coalescer.request("a");
    await gate.arrived();
    // The gate is open, so the work is past its last await; its promise settles in a later microtask.
    gate.open();
    const second = coalescer.request("a");
    gate.open();
    await Promise.all([first, second]);
    expect(begun).toEqual(["a", "a"]);
  });

  it("loses no request at any microtask around the end of a run, and never runs twice at once", async () => {
    for (let steps = 0; steps < 12; steps += 1) {
      const { coalescer, gate, begun, most, isIdle } = setUp();
      const first = coalescer.request("a");
      await gate.arrived();
      gate.open();
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      const before = begun.length;
      const second = coalescer.request("a");
      const third = coalescer.request("a");
      gate.open();
      gate.open();
      await Promise.all([first, second, third]);
      expect(begun.length).toBeGreaterThan(before);
      expect(most()).toBe(1);
      expect(await isIdle()).toBe(true);
    }
  });

  it("runs again for a request made by the work itself", async () => {
    const { coalescer, gate, begun, most } = setUp((own, run) => {
      if (run === 1) void own.request("a");
    });
    gate.open();
    gate.open();
    await coalescer.request("a");
    await nextTurn();
    expect(begun).toEqual(["a", "a"]);
    expect(most()).toBe(1);
  });

  it("runs again after a failure, and rejects only the requests of the failed run", async () => {
    const { coalescer, gate, begun } = setUp();
    const first = coalescer.request("a");
    await gate.arrived();
    const second = coalescer.request("a");
    gate.fail(new Error("unreadable"));
    await expect(first).rejects.toThrow("unreadable");
    gate.open();
    await expect(second).resolves.toBeUndefined();
    expect(begun).toEqual(["a", "a"]);
  });

  it("runs different keys in parallel", async () => {
    const { coalescer, gate, begun, most } = setUp();
    const both = [coalescer.request("a"), coalescer.request("b")];
    gate.open();
    gate.open();
    await Promise.all(both);
    expect(begun).toEqual(["a", "b"]);
    expect(most()).toBe(2);
  });

  it("starts nothing after a close, and resolves what was requested", async () => {
    const { coalescer, gate, begun } = setUp();
    const first = coalescer.request("a");
    await gate.arrived();
    const second = coalescer.request("a");
    coalescer.close();
    gate.open();
    await Promise.all([first, second, coalescer.request("b")]);
    expect(begun).toEqual(["a"]);
  });

  it("is never idle between a run and its successor", async () => {
    const { coalescer, gate, isIdle } = setUp();
    const first = coalescer.request("a");
    await gate.arrived();
    const second = coalescer.request("a");
    gate.open();
    await first;
    expect(await isIdle()).toBe(false);
    gate.open();
    await second;
    expect(await isIdle()).toBe(true);
  });
});
