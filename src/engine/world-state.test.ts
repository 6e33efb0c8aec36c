import { expect, it } from "vitest";
import type { LiveReport } from "../core/session/live-report.ts";
import { aChange, aCheckRun } from "../testing/change-builders.ts";
import { createMemoryArchive } from "../testing/memory-archive.ts";
import { createWorldState } from "./world-state.ts";

const archive = createMemoryArchive(new Map());

it("shows the progress of the current attempt of a check, whatever an older one reports", () => {
  const run = aCheckRun({ state: "running", head: "head2", attempt: 1, at: 1000 });
  const change = aChange({ head: "head2", checks: { unit: run } });
  const world = createWorldState(new Map([["change:demo/1", change]]), { archive, now: () => 41_000 });
  const attempt = { changeKey: "demo/1", check: "unit", head: "head2", attempt: 1 };
  const older = { ...attempt, head: "head1" };
  expect(world.view.checkProgress("demo/1", "unit")).toEqual({ phase: null, elapsedMs: 40_000 });
  world.noteCheckPhase(older, "run");
  world.noteCheckPhase(attempt, "set-up");
  world.noteCheckPhase(older, null);
  expect(world.view.checkProgress("demo/1", "unit")).toEqual({ phase: "set-up", elapsedMs: 40_000 });
  expect(world.draft().checkProgress("demo/1", "unit")?.phase).toBe("set-up");
  world.noteCheckPhase(attempt, null);
  expect(world.view.checkProgress("demo/1", "unit")?.phase).toBeNull();
  expect(world.view.checkProgress("demo/1", "lint")).toBeNull();
  expect(world.view.checkProgress("demo/2", "unit")).toBeNull();
});

it("knows nothing about a check that is not running", () => {
  const world = createWorldState(new Map([["change:demo/1", aChange({ checks: { unit: aCheckRun() } })]]), { archive });
  expect(world.view.checkProgress("demo/1", "unit")).toBeNull();
});

it("knows an agent's newest report until it is over", () => {
  const world = createWorldState(new Map(), { archive });
  const report: LiveReport = { run: 1, state: "working", note: "reads", at: 1 };
  world.noteReport("demo-1", report);
  world.noteReport("demo-1", { ...report, note: "writes" });
  expect(world.view.liveReport("demo-1")?.note).toBe("writes");
  expect(world.view.liveReport("demo-2")).toBeNull();
  world.noteReport("demo-1", null);
  expect(world.view.liveReport("demo-1")).toBeNull();
});
