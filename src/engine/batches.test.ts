import { describe, expect, it } from "vitest";
import { createGate, type Gate, nextTurn } from "../testing/gate.ts";
import { createActivity } from "./activity.ts";
import { type Batches, type BatchRules, createBatches } from "./batches.ts";

interface Scene {
  readonly batches: Batches<string>;
  readonly gate: Gate;
  /** What happened, in order. */
  readonly seen: string[];
  isIdle(): Promise<boolean>;
}

/** Batches of at most two items, whose work waits at a gate. */
function setUp(rules: Partial<BatchRules<string>> = {}): Scene {
  const gate = createGate();
  const seen: string[] = [];
  const activity = createActivity();
  const batches = createBatches<string>(
    {
      size: 2,
      onStart: () => seen.push("start"),
      beforeBatch: () => undefined,
      work: (batch) => {
        seen.push(batch.join("+"));
        return gate.pass();
      },
      onError: (batch, error) => seen.push(`${batch.join("+")} failed: ${(error as Error).message}`),
      onIdle: () => seen.push("idle"),
      ...rules,
    },
    activity,
  );
  const isIdle = (): Promise<boolean> => Promise.race([activity.idle().then(() => true), nextTurn().then(() => false)]);
  return { batches, gate, seen, isIdle };
}

describe("batches", () => {
  it("work on an item at once, and are idle after it", async () => {
    const { batches, gate, seen, isIdle } = setUp();
    batches.add("a");
    expect(await isIdle()).toBe(false);
    gate.open();
    expect(await isIdle()).toBe(true);
    expect(seen).toEqual(["start", "a", "idle"]);
  });

  it("take what arrives during a batch into the next ones, in order and up to their size", async () => {
    const { batches, gate, seen } = setUp();
    batches.add("a");
    for (const item of ["b", "c", "d"]) batches.add(item);
    for (const _ of ["a", "b+c", "d"]) gate.open();
    await nextTurn();
    expect(seen).toEqual(["start", "a", "b+c", "d", "idle"]);
  });

  it("work on the next batch although one failed", async () => {
    const { batches, gate, seen } = setUp();
    batches.add("a");
    batches.add("b");
    gate.fail(new Error("broken"));
    gate.open();
    await nextTurn();
    expect(seen).toEqual(["start", "a", "a failed: broken", "b", "idle"]);
  });

  it("work on what is added before a batch, ahead of what waits, and also if nothing does", async () => {
    const added = ["first", "", "last"];
    const { batches, gate, seen } = setUp({
      beforeBatch: () => {
        const item = added.shift() ?? "";
        if (item !== "") batches.addFirst(item);
      },
    });
    for (const item of ["a", "b", "c"]) batches.add(item);
    for (let n = 0; n < 4; n += 1) gate.open();
    await nextTurn();
    expect(seen).toEqual(["start", "first+a", "b+c", "last", "idle"]);
  });

  it("start and end without an item when poked, but not during a batch", async () => {
    const { batches, gate, seen } = setUp();
    batches.poke();
    await nextTurn();
    expect(seen).toEqual(["start", "idle"]);
    batches.add("a");
    batches.poke();
    gate.open();
    await nextTurn();
    expect(seen).toEqual(["start", "idle", "start", "a", "idle"]);
  });

  it("work on an item that arrives while the end is announced", async () => {
    const late = ["b"];
    const { batches, gate, seen, isIdle } = setUp({
      onIdle: () => {
        for (const item of late.splice(0)) batches.add(item);
      },
    });
    batches.add("a");
    gate.open();
    expect(await isIdle()).toBe(false);
    gate.open();
    expect(await isIdle()).toBe(true);
    expect(seen).toEqual(["start", "a", "start", "b"]);
  });
});
