import { describe, expect, it } from "vitest";
import type { StreamState } from "../../core/evolve.ts";
import type { StreamId } from "../../core/stream.ts";
import { NO_CHANGES, type Store } from "../../ports/store.ts";
import { aSession, aTask } from "../builders.ts";
import { aChange } from "../change-builders.ts";

const MERGED = { commit: "c", baseBefore: "b", by: "ann", strategy: "squash", deleteAfter: false } as const;

interface StoreContract {
  readonly name: string;
  /** A new, empty store. */
  readonly create: () => Store;
  /** Closes a store and opens it again; absent if there is nothing to open. */
  readonly reopen?: (store: Store) => Promise<Store>;
}

const paused = { stream: "fleet", at: 5, event: { type: "fleet.paused" } } as const;
const intent = {
  id: "i1",
  stream: "session:s",
  lane: "run:s",
  spec: { kind: "end-run", sessionId: "s", run: 1 },
  status: "pending",
  recordedAt: 5,
} as const;

/** The facts that hold for every store. */
export function describeStoreContract(contract: StoreContract): void {
  describe(`the store ${contract.name}`, () => {
    it("returns what was appended, in order", async () => {
      const first = contract.create();
      const positions = [{ source: "a", position: 7 }];
      await first.append({ ...NO_CHANGES, events: [paused, paused], recorded: [intent], positions, durable: true }, 0);
      await first.append({ ...NO_CHANGES, started: ["i1"], receipts: [{ key: "k", result: "{}" }] }, 2);
      const store = contract.reopen === undefined ? first : await contract.reopen(first);
      const loaded = await store.load();
      expect(loaded.lastPosition).toBe(2);
      expect(loaded.lastAt).toBe(5);
      expect(loaded.intents).toEqual([{ ...intent, status: "started" }]);
      expect(loaded.positions.get("a")).toBe(7);
      expect((await store.read(1, 10)).map(({ position }) => position)).toEqual([2]);
      expect(await store.read(0, 10, "session:s")).toEqual([]);
      expect(await store.receipt("k")).toBe("{}");
      expect(await store.receipt("other")).toBeNull();
      await store.append({ ...NO_CHANGES, finished: ["i1"] }, 2);
      expect(await store.isFinished("i1")).toBe(true);
      expect((await store.load()).intents).toEqual([]);
      await store.close();
    });

    it("reads a stream from its end", async () => {
      const store = contract.create();
      const other = { ...paused, stream: "session:s" } as const;
      await store.append({ ...NO_CHANGES, events: [paused, other, paused, paused] }, 0);
      const positions = async (before: number, limit: number): Promise<readonly number[]> =>
        (await store.readBefore(before, limit, paused.stream)).map(({ position }) => position);
      expect(await positions(5, 2)).toEqual([4, 3]);
      expect(await positions(3, 9)).toEqual([1]);
      expect(await positions(1, 9)).toEqual([]);
      await store.close();
    });

    it("rejects a whole batch whose author does not know the newest event", async () => {
      const store = contract.create();
      await store.append({ ...NO_CHANGES, events: [paused] }, 0);
      const late = { ...NO_CHANGES, events: [paused], positions: [{ source: "b", position: 1 }] };
      await expect(store.append(late, 0)).rejects.toThrow(/another writer/);
      expect((await store.load()).positions.size).toBe(0);
      await store.close();
    });

    it("keeps nothing of a batch that fails midway", async () => {
      const store = contract.create();
      await store.append({ ...NO_CHANGES, recorded: [intent] }, 0);
      await expect(store.append({ ...NO_CHANGES, events: [paused], recorded: [intent] }, 0)).rejects.toThrow();
      expect((await store.load()).lastPosition).toBe(0);
      await store.append({ ...NO_CHANGES, events: [paused] }, 0);
      await store.close();
    });

    it("accepts a forgotten intent again", async () => {
      const store = contract.create();
      await store.append({ ...NO_CHANGES, recorded: [intent] }, 0);
      await store.append({ ...NO_CHANGES, forgotten: ["i1"] }, 0);
      expect(await store.isFinished("i1")).toBe(false);
      await store.append({ ...NO_CHANGES, recorded: [intent] }, 0);
      expect((await store.load()).intents).toEqual([intent]);
      await store.close();
    });

    it("moves states to the archive and back with the events that cause it", async () => {
      const store = contract.create();
      const session = aSession({ id: "demo-42", issue: "42", folder: "issue-42", phase: "stopped", updatedAt: 50 });
      const change = aChange({ sessionId: "demo-42", phase: "merged", number: 7, key: "demo/7", branch: "b" });
      const merged = { ...change, merged: { ...MERGED, at: 60 }, archivedAt: 100 };
      const held = aTask({ claimedBy: "demo-42" });
      const rows = (...states: readonly (readonly [StreamId, StreamState])[]) =>
        states.map(([stream, state]) => ({ stream, state, wakeAt: null }));
      await store.append({ ...NO_CHANGES, states: rows(["session:demo-42", session], ["task:demo/42", held]) }, 0);
      const positions = [{ source: "run:demo-42/1/out", position: 5 }];
      await store.append(
        { ...NO_CHANGES, positions: [...positions, { source: "run:demo-421/1/out", position: 6 }] },
        0,
      );
      expect(store.archive.state("session:demo-42")).toBeUndefined();
      const archived = { ...session, archivedAt: 100 };
      const free = { ...held, claimedBy: null };
      const gone = rows(["session:demo-42", archived], ["change:demo/7", merged], ["task:demo/42", free]);
      await store.append({ ...NO_CHANGES, states: gone }, 0);
      expect([...(await store.load()).states.keys()]).toEqual([]);
      const { archive } = store;
      expect(archive.state("session:demo-42")).toEqual(archived);
      expect(archive.state("task:demo/42")).toEqual(free);
      expect(archive.sessions({ projectId: "demo", since: 50 })).toEqual([archived]);
      expect(archive.sessions({ since: 51 })).toEqual([]);
      expect(archive.sessions({ projectId: "other" })).toEqual([]);
      expect(archive.latestSessions(5)).toEqual([archived]);
      for (const name of ["demo-4", "demo-fix", "#42"]) expect(archive.sessionsNamed(name)).toEqual([archived]);
      expect(archive.sessionsNamed("demo-5")).toEqual([]);
      expect(archive.changes({})).toEqual([merged]);
      expect(archive.changesOf("demo-42")).toEqual([merged]);
      expect(archive.changesOn("demo", "b")).toEqual([merged]);
      expect(archive.changesNumbered("demo", 7)).toEqual([merged]);
      expect([...archive.changesNumbered("demo", 8), ...archive.changesNumbered("other", 7)]).toEqual([]);
      expect([archive.lastNumber("demo"), archive.lastNumber("other")]).toEqual([7, 0]);
      expect([archive.countMerged("demo", 59), archive.countMerged("demo", 60)]).toEqual([1, 0]);
      await store.append({ ...NO_CHANGES, states: rows(["session:demo-42", session]) }, 0);
      expect((await store.load()).states.get("session:demo-42")).toEqual(session);
      expect(archive.state("session:demo-42")).toBeUndefined();
      expect(archive.sessionsNamed("demo-4")).toEqual([]);
      await store.close();
    });

    it("keeps long texts, even with NUL in them", async () => {
      const store = contract.create();
      const text = `${"é".repeat(500_000)}\u0000end`;
      const hash = await store.putBlob(text);
      expect(await store.putBlob(text)).toBe(hash);
      expect((await store.getBlob(hash)) === text).toBe(true);
      expect(await store.getBlob("none")).toBeNull();
      await store.close();
    });
  });
}
