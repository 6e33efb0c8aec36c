import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Batch } from "../ports/store.ts";
import { tempDir } from "../testing/temp.ts";
import { takeDaemonLock } from "./daemon-lock.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const EMPTY: Batch = {
  events: [],
  states: [],
  recorded: [],
  started: [],
  finished: [],
  forgotten: [],
  positions: [],
  receipts: [],
  durable: false,
};
const paused = { stream: "fleet", at: 5, event: { type: "fleet.paused" } } as const;
const intent = {
  id: "i1",
  stream: "session:s",
  lane: "run:s",
  spec: { kind: "end-run", sessionId: "s", run: 1 },
  status: "pending",
  recordedAt: 5,
} as const;

describe("the SQLite store", () => {
  it("gives back what was appended, in order, after it was closed", async () => {
    const file = join(tempDir(), "ao.db");
    const store = openSqliteStore(file);
    await store.append(
      {
        ...EMPTY,
        events: [paused, paused],
        recorded: [intent],
        positions: [{ source: "a", position: 7 }],
        durable: true,
      },
      0,
    );
    await store.append({ ...EMPTY, started: ["i1"], receipts: [{ key: "k", result: "{}" }] }, 2);
    await store.close();
    const again = openSqliteStore(file);
    const loaded = await again.load();
    expect(loaded.lastPosition).toBe(2);
    expect(loaded.intents).toEqual([{ ...intent, status: "started" }]);
    expect(loaded.positions.get("a")).toBe(7);
    expect((await again.read(1, 10)).map(({ position }) => position)).toEqual([2]);
    expect(await again.receipt("k")).toBe("{}");
    await again.append({ ...EMPTY, finished: ["i1"] }, 2);
    expect(await again.isFinished("i1")).toBe(true);
    expect((await again.load()).intents).toEqual([]);
    await again.close();
  });

  it("refuses a batch of somebody who does not know the newest event, whole", async () => {
    const store = openSqliteStore(join(tempDir(), "ao.db"));
    await store.append({ ...EMPTY, events: [paused] }, 0);
    await expect(
      store.append({ ...EMPTY, events: [paused], positions: [{ source: "b", position: 1 }] }, 0),
    ).rejects.toThrow(/another writer/);
    expect((await store.load()).positions.size).toBe(0);
    await store.close();
  });

  it("takes nothing of a batch that fails in the middle", async () => {
    const store = openSqliteStore(join(tempDir(), "ao.db"));
    await store.append({ ...EMPTY, recorded: [intent] }, 0);
    await expect(store.append({ ...EMPTY, events: [paused], recorded: [intent] }, 0)).rejects.toThrow();
    expect((await store.load()).lastPosition).toBe(0);
    await store.append({ ...EMPTY, events: [paused] }, 0);
    await store.close();
  });

  it("keeps long texts by their hash", async () => {
    const store = openSqliteStore(join(tempDir(), "ao.db"));
    const text = `${"é".repeat(500_000)}\u0000end`;
    const hash = await store.putBlob(text);
    expect(await store.putBlob(text)).toBe(hash);
    expect((await store.getBlob(hash)) === text).toBe(true);
    expect(await store.getBlob("none")).toBeNull();
    await store.close();
  });

  it("refuses a damaged file and does not change it", async () => {
    const file = join(tempDir(), "ao.db");
    writeFileSync(file, "this is not a database, but long enough to be looked at".repeat(100));
    const before = readFileSync(file);
    expect(() => openSqliteStore(file)).toThrow(/damaged/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("the daemon's lock", () => {
  it("is held by one, and dies with its process", () => {
    const file = join(tempDir(), "daemon.lock");
    const lock = takeDaemonLock(file);
    expect(lock).not.toBeNull();
    const script = `import { takeDaemonLock } from ${JSON.stringify(new URL("../../dist/platform/daemon-lock.js", import.meta.url).href)};
      console.log(takeDaemonLock(${JSON.stringify(file)}) === null ? "taken" : "free"); process.kill(process.pid, "SIGKILL");`;
    const ask = (): string => {
      try {
        return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    expect(ask().trim()).toBe("taken");
    lock?.release();
    expect(ask().trim()).toBe("free");
    expect(takeDaemonLock(file)).not.toBeNull();
  });
});
