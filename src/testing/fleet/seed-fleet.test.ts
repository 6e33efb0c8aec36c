import { expect, it } from "vitest";
import { deriveStatus } from "../../core/session/status.ts";
import { createMemoryStore } from "../memory-store.ts";
import { seedFleet } from "./seed-fleet.ts";

const NOW = Date.parse("2026-08-27T14:36:00Z");

async function statusesOf(count: number): Promise<ReadonlySet<string>> {
  const store = createMemoryStore();
  await seedFleet(store, { count, now: NOW, paths: {} });
  const { states } = await store.load();
  const statuses = [...states].flatMap(([stream, state]) =>
    stream.startsWith("session:") ? [deriveStatus(state as never, { paused: false }).status] : [],
  );
  return new Set(statuses);
}

it("a seeded fleet of 30 has sessions in every state", async () => {
  const statuses = await statusesOf(30);
  const expected = ["working", "needs-input", "idle", "no-signal", "rate-limited", "errored", "queued", "stopped"];
  expect([...expected].filter((status) => !statuses.has(status as never))).toEqual([]);
});

it("a seeded fleet of zero has projects only", async () => {
  expect([...(await statusesOf(0))]).toEqual([]);
});
