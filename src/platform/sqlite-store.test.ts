import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StreamState } from "../core/evolve.ts";
import type { StreamId } from "../core/stream.ts";
import { type Batch, NO_CHANGES, type Store } from "../ports/store.ts";
import { describeStoreContract } from "../testing/contracts/store.contract.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { tempDir } from "../testing/temp.ts";
import { takeDaemonLock } from "./daemon-lock.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const files = new Map<Store, string>();

function open(file: string): Store {
  const store = openSqliteStore(file);
  files.set(store, file);
  return store;
}

describeStoreContract({
  name: "SQLite",
  create: () => open(join(tempDir(), "ao.db")),
  reopen: async (store) => {
    await store.close();
    return open(files.get(store) ?? "");
  },
});
describeStoreContract({ name: "in memory (the fake)", create: createMemoryStore });

describe("the SQLite store", () => {
  it("refuses a damaged file and does not change it", async () => {
    const file = join(tempDir(), "ao.db");
    writeFileSync(file, "this is not a database, but long enough to be looked at".repeat(100));
    const before = readFileSync(file);
    expect(() => openSqliteStore(file)).toThrow(/damaged/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("checks only the loaded tables of a large file for damage, unless asked to check the whole file", async () => {
    const file = join(tempDir(), "ao.db");
    const store = openSqliteStore(file);
    for (const letter of ["a", "b", "c"]) await store.putBlob(letter.repeat(8 * 1024 * 1024));
    await store.close();
    // Long texts fill the whole file except its first pages.
    const at = statSync(file).size - 4096 * 3;
    const fd = openSync(file, "r+");
    writeSync(fd, Buffer.alloc(4096 * 2, 255), 0, undefined, at);
    closeSync(fd);
    await openSqliteStore(file).close();
    expect(() => openSqliteStore(file, { checkWhole: true })).toThrow(/damaged/);
  });
});

describe("a store of an older version", () => {
  const old = JSON.parse(
    readFileSync(new URL("../../test/fixtures/store/renamed-events.json", import.meta.url), "utf8"),
  ) as { readonly events: Batch["events"]; readonly states: Readonly<Record<StreamId, StreamState>> };

  it("is read under the current names", async () => {
    const file = join(tempDir(), "ao.db");
    const states = Object.entries(old.states).map(([stream, state]) => ({
      stream: stream as StreamId,
      state,
      wakeAt: null,
    }));
    const writer = openSqliteStore(file);
    await writer.append({ ...NO_CHANGES, events: old.events, states, durable: true }, 0);
    await writer.close();
    const store = openSqliteStore(file);
    const types = (await store.read(0, 1000)).map(({ event }) => event.type);
    expect(types).toEqual(expect.arrayContaining(["agent.output-seen", "question.withdrawn", "conversation.known"]));
    const { states: loaded } = await store.load();
    expect(loaded.get("change:demo/1")).toMatchObject({ mergeRequest: { by: "ann" } });
    await store.close();
  });
});

describe("the daemon's lock", () => {
  it("has one holder, and is released when its process dies", () => {
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
