import { describe, expect, it } from "vitest";
import type { FleetEvent } from "./events.ts";
import { evolveFleet } from "./evolve.ts";
import { DEFAULT_LIMIT, initialFleet } from "./state.ts";

const down = initialFleet();
const up = { ...down, daemon: { up: true, version: "1", at: 5 } };
const routing = { urgent: ["desk"], action: [], warning: [], info: [] };
const prices = { "house-model": { input: 1, cachedInput: 0.1, output: 2 } };
const table: readonly [FleetEvent, object][] = [
  [
    { type: "daemon.started", version: "1", pid: 7 },
    { daemon: up.daemon, watchedSince: 5 },
  ],
  [{ type: "daemon.woke", sleptMs: 60_000 }, { watchedSince: 5 }],
  [{ type: "fleet.routing-set", routing }, { notices: { ...down.notices, routing } }],
  [{ type: "fleet.prices-set", prices }, { prices }],
  [{ type: "daemon.stopped", reason: "asked for" }, { daemon: { ...down.daemon, up: false, at: 5 } }],
  [{ type: "fleet.limited", limit: 2 }, { limit: 2 }],
  [
    { type: "fleet.limited", limit: 2, ciRuns: 3 },
    { limit: 2, ciRuns: 3 },
  ],
  [{ type: "fleet.paused" }, { paused: true }],
  [{ type: "fleet.resumed" }, { paused: false }],
];

describe("evolveFleet", () => {
  it.each(table)("%o changes only that", (event, change) => {
    expect(evolveFleet(down, event, 5)).toEqual({ ...down, ...change });
  });

  it("remembers the version of a stopped daemon", () => {
    expect(evolveFleet(up, { type: "daemon.stopped", reason: "" }, 9).daemon).toEqual({
      up: false,
      version: "1",
      at: 9,
    });
  });

  it("starts unpaused, with slots for a few", () => {
    expect(down).toMatchObject({ paused: false, limit: DEFAULT_LIMIT });
  });
});
