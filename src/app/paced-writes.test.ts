import { describe, expect, it } from "vitest";
import { PluginError } from "../core/errors.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createPacedWrites } from "./paced-writes.ts";

const HOUR = 60 * 60_000;

function aScene(fail: () => unknown = () => null) {
  const clock = createFakeClock(0);
  const written: string[] = [];
  const writes = createPacedWrites({
    clock,
    groupOf: (key) => key.slice(0, 1),
    write: async (key) => {
      const failure = fail();
      if (failure !== null) throw failure;
      written.push(key);
      return true;
    },
    onError: () => undefined,
  });
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1000) {
      await clock.advance(Math.min(1000, left));
    }
  };
  return { writes, written, pass };
}

describe("paced writes", () => {
  it("write a constantly changing state at most 20 times an hour", async () => {
    const { writes, written, pass } = aScene();
    for (let at = 0; at < HOUR; at += 10_000) {
      writes.request("a1", false);
      await pass(10_000);
    }
    expect(written.length).toBeGreaterThan(15);
    expect(written.length).toBeLessThanOrEqual(20);
  });

  it("write everything in one group at most 240 times an hour", async () => {
    const { writes, written, pass } = aScene();
    for (let at = 0; at < HOUR; at += 60_000) {
      for (let n = 0; n < 50; n += 1) writes.request(`a${n}`, false);
      await pass(60_000);
    }
    expect(written.length).toBeGreaterThan(200);
    expect(written.length).toBeLessThanOrEqual(241);
    expect(new Set(written).size).toBe(50);
  });

  it("do not delay an urgent one by the pause after the last", async () => {
    const { writes, written, pass } = aScene();
    writes.request("a1", false);
    await pass(20_000);
    writes.request("a1", false);
    writes.request("a1", true);
    await pass(20_000);
    expect(written).toEqual(["a1", "a1"]);
  });

  it("retry temporary failures, and nothing else", async () => {
    const failures: unknown[] = [
      new PluginError({ plugin: "x", category: "auth", message: "no" }),
      new PluginError({ plugin: "x", category: "rate-limited", message: "slow", retryAfterMs: 90_000 }),
    ];
    const { writes, written, pass } = aScene(() => failures.pop() ?? null);
    writes.request("a1", false);
    await pass(90_000);
    expect(failures).toHaveLength(1);
    await pass(HOUR);
    expect({ failures, written }).toEqual({ failures: [], written: [] });
  });
});
