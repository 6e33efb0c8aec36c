import { describe, expect, it } from "vitest";
import type { Batch, Store } from "../../ports/store.ts";

interface StoreContract {
  readonly name: string;
  /** A new, empty store. */
  readonly create: () => Store;
  /** Closes a store and opens the same one again; absent where there is nothing to open. */
  readonly reopen?: (store: Store) => Promise<Store>;
}

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

/** The facts that hold for every store. */
export function describeStoreContract(contract: StoreContract): void {
  describe(`the store ${contract.name}`, () => {
    it("gives back what was appended, in order", async () => {
      const first = contract.create();
      const positions = [{ source: "a", position: 7 }];
      await first.append({ ...EMPTY, events: [paused, paused], recorded: [intent], positions, durable: true }, 0);
      await first.append({ ...EMPTY, started: ["i1"], receipts: [{ key: "k", result: "{}" }] }, 2);
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
      await store.append({ ...EMPTY, finished: ["i1"] }, 2);
      expect(await store.isFinished("i1")).toBe(true);
      expect((await store.load()).intents).toEqual([]);
      await store.close();
    });

    it("refuses a batch of somebody who does not know the newest event, whole", async () => {
      const store = contract.create();
      await store.append({ ...EMPTY, events: [paused] }, 0);
      const late = { ...EMPTY, events: [paused], positions: [{ source: "b", position: 1 }] };
      await expect(store.append(late, 0)).rejects.toThrow(/another writer/);
      expect((await store.load()).positions.size).toBe(0);
      await store.close();
    });

    it("takes nothing of a batch that fails in the middle", async () => {
      const store = contract.create();
      await store.append({ ...EMPTY, recorded: [intent] }, 0);
      await expect(store.append({ ...EMPTY, events: [paused], recorded: [intent] }, 0)).rejects.toThrow();
      expect((await store.load()).lastPosition).toBe(0);
      await store.append({ ...EMPTY, events: [paused] }, 0);
      await store.close();
    });

    it("takes a forgotten intent again", async () => {
      const store = contract.create();
      await store.append({ ...EMPTY, recorded: [intent] }, 0);
      await store.append({ ...EMPTY, forgotten: ["i1"] }, 0);
      expect(await store.isFinished("i1")).toBe(false);
      await store.append({ ...EMPTY, recorded: [intent] }, 0);
      expect((await store.load()).intents).toEqual([intent]);
      await store.close();
    });

    it("keeps long texts, also with NUL in them", async () => {
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
