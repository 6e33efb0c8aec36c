import { expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import type { StreamId } from "../../core/stream.ts";
import { aSession, aWorld } from "../../testing/builders.ts";
import { aChange } from "../../testing/change-builders.ts";
import { createMemoryStore } from "../../testing/memory-store.ts";
import { createActivityLog } from "./activity-log.ts";
import { toActivityView } from "./activity-view.ts";
import { WINDOW_MS } from "./day-reader.ts";

const NOW = Date.parse("2026-08-27T14:36:00Z");
const MINUTE = 60_000;
const EMPTY = { states: [], recorded: [], started: [], finished: [], forgotten: [], positions: [], receipts: [] };
const world = aWorld({ sessions: [aSession({ id: "demo-1" })], changes: [aChange({ sessionId: "demo-1" })] });

function createLog() {
  const store = createMemoryStore();
  let position = 0;
  const write = async (stream: StreamId, event: AnyEvent, minutesAgo: number): Promise<void> => {
    await store.append(
      { ...EMPTY, events: [{ stream, event, at: NOW - minutesAgo * MINUTE }], durable: false },
      position,
    );
    position += 1;
  };
  return { store, write };
}

const working: AnyEvent = { type: "agent.reported", state: "working", note: null };
const done: AnyEvent = { type: "agent.finished", summary: "" };

it("continues from where it was, with the same segments that a restart finds", async () => {
  const { store, write } = createLog();
  const log = createActivityLog(world, store);
  await write("session:demo-1", working, 30);
  expect((await log.read(NOW)).get("demo-1")?.agent).toHaveLength(1);
  await write("session:demo-1", done, 20);
  await write("change:demo/1", { type: "check.started", name: "unit", head: "h", attempt: 1 }, 19);
  const tracks = await log.read(NOW);
  expect(await createActivityLog(world, store).read(NOW)).toEqual(tracks);
  const view = toActivityView(tracks, { world, since: NOW - 25 * MINUTE, now: NOW, project: null });
  expect(view.data).toEqual([
    {
      sessionId: "demo-1",
      agent: [
        { kind: "working", from: "2026-08-27T14:11:00.000Z", to: "2026-08-27T14:16:00.000Z" },
        { kind: "idle", from: "2026-08-27T14:16:00.000Z", to: null },
      ],
      checks: [{ kind: "running", from: "2026-08-27T14:17:00.000Z", to: null }],
      mergedAt: null,
    },
  ]);
});

it("starts with the first event of the last day, wherever that is in the log", async () => {
  const { store, write } = createLog();
  const day = WINDOW_MS / MINUTE;
  for (let n = 0; n < 40; n += 1) await write("session:old", n % 2 === 0 ? working : done, day + 100 - n);
  await write("session:demo-1", working, 60);
  expect([...(await createActivityLog(world, store).read(NOW)).keys()]).toEqual(["demo-1"]);
});

it("returns nothing for an empty log", async () => {
  expect((await createActivityLog(world, createLog().store).read(NOW)).size).toBe(0);
});
