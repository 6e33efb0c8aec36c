import { describe, expect, it } from "vitest";
import { createWakeUp } from "../wake-up.ts";
import type { Room } from "./room.ts";
import { parseCursor, runViewer } from "./viewer.ts";

/** A run without a terminal whose output grows, and a viewer that reads when the test lets it. */
function open(cursor: string | null = null, { isStarting = false } = {}) {
  let hasStarted = !isStarting;
  let log = Buffer.alloc(0);
  let mostAtOnce = 0;
  const wakeUp = createWakeUp();
  const frames: { readonly type: string; readonly [key: string]: unknown }[] = [];
  let shown = "";
  let isOpen = true;
  let isReading = true;
  let waiting: (() => void)[] = [];
  const room: Room = {
    now: () =>
      hasStarted
        ? { run: { run: 1, isAlive: true, folder: "/run", file: "/run/out", connect: null }, link: null }
        : null,
    size: () => null,
    resize: () => undefined,
    leave: () => undefined,
  };
  const fs = {
    stat: async () => ({ kind: "file" as const, size: log.length, mtimeMs: 0, mode: 0 }),
    readBytes: async (_: string, from: number, max: number) => log.subarray(from, from + max),
    watch: () => () => undefined,
  };
  const socket = {
    isOpen: () => isOpen,
    send: async (data: Uint8Array | string) => {
      mostAtOnce = Math.max(mostAtOnce, data.length);
      if (!isReading) await new Promise<void>((resolve) => void waiting.push(resolve));
      if (typeof data === "string") frames.push(JSON.parse(data));
      else shown += Buffer.from(data).toString();
    },
  };
  const done = runViewer({ room, socket, fs, wakeUp, from: parseCursor(cursor), readOnly: null });
  return {
    frames,
    start: () => {
      hasStarted = true;
      wakeUp.wake();
    },
    print: (text: string) => {
      log = Buffer.concat([log, Buffer.from(text)]);
      wakeUp.wake();
    },
    read: (should: boolean) => {
      isReading = should;
      for (const go of waiting) go();
      waiting = [];
    },
    shown: () => shown,
    mostAtOnce: () => mostAtOnce,
    cursor: () => frames.findLast(({ type }) => type === "cursor")?.["cursor"],
    settle: async () => {
      for (let n = 0; n < 50; n += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    close: async () => {
      isOpen = false;
      wakeUp.wake();
      await done;
    },
  };
}

describe("a viewer of a run without a terminal", () => {
  it("is first told that it cannot type, then gets the output so far and what follows", async () => {
    const viewer = open();
    viewer.print("one\n");
    await viewer.settle();
    expect(viewer.frames[0]).toMatchObject({ type: "input", allowed: false });
    viewer.print("two\n");
    await viewer.settle();
    expect(viewer.shown()).toBe("one\ntwo\n");
    expect(viewer.cursor()).toBe("1:8");
    await viewer.close();
  });

  it("waits for an agent that has not started yet, and does not treat it as ended", async () => {
    const viewer = open(null, { isStarting: true });
    await viewer.settle();
    expect(viewer.frames).toEqual([{ type: "input", allowed: false, reason: "the agent has not started yet" }]);
    viewer.print("one\n");
    viewer.start();
    await viewer.settle();
    expect(viewer.shown()).toBe("one\n");
    expect(viewer.frames).toContainEqual(
      expect.objectContaining({ reason: "no terminal: this is the agent's output" }),
    );
    expect(viewer.frames.map(({ type }) => type)).not.toContain("end");
    await viewer.close();
  });

  it("continues from its cursor without a fresh screen, and reads an incomplete sequence again", async () => {
    const viewer = open("1:4");
    viewer.print("one\ntwo\u001b[3");
    await viewer.settle();
    expect(viewer.shown()).toBe("two");
    expect(viewer.cursor()).toBe("1:7");
    expect(viewer.frames.map(({ type }) => type)).not.toContain("screen");
    await viewer.close();
  });

  it.each([
    ["of another run", "7:4", "new-run"],
    ["beyond the log", "1:400", "log-gone"],
  ])("starts over with a cursor %s", async (_, cursor, reason) => {
    const viewer = open(cursor);
    viewer.print("one\n");
    await viewer.settle();
    expect(viewer.frames).toContainEqual({ type: "screen", reason });
    await viewer.close();
  });

  it("gets a small piece at a time, and the end of everything when it reads again much later", async () => {
    const viewer = open();
    viewer.print("begin\n");
    await viewer.settle();
    viewer.read(false);
    for (let n = 0; n < 50; n += 1) viewer.print("x".repeat(100_000));
    viewer.print("end\n");
    await viewer.settle();
    viewer.read(true);
    // It pauses between two chunks, by the clock.
    while (!viewer.shown().endsWith("end\n")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(viewer.frames).toContainEqual({ type: "screen", reason: "behind" });
    expect(viewer.mostAtOnce()).toBeLessThanOrEqual(64 * 1024);
    expect(viewer.shown().length).toBeLessThan(600_000);
    await viewer.close();
  });
});
