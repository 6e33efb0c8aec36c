import { expect, it } from "vitest";
import type { StreamState } from "../core/evolve.ts";
import type { LiveReport } from "../core/session/live-report.ts";
import type { StreamId } from "../core/stream.ts";
import { aSession } from "../testing/builders.ts";
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

it("has what a commit brings back from the archive once, and no longer in the archive", () => {
  const archivedAt = 9000;
  const session = aSession({ issue: "42", phase: "stopped", archivedAt });
  const merged = { commit: "c", baseBefore: "b", by: "ann", strategy: "squash", deleteAfter: true, at: 4000 } as const;
  const change = aChange({ sessionId: session.id, phase: "merged", merged, archivedAt });
  const states = new Map<StreamId, StreamState>([
    [`session:${session.id}`, session],
    [`change:${change.key}`, change],
  ]);
  const draft = createWorldState(new Map(), { archive: createMemoryArchive(states) }).draft();
  const { projectId, branch, number } = change;
  const archived = (): readonly number[] => [
    draft.archive.sessions({}).length,
    draft.archive.latestSessions(1).length,
    draft.archive.sessionsNamed("#42").length,
    draft.archive.changes({}).length,
    draft.archive.changesOf(session.id).length,
    draft.archive.changesOn(projectId, branch).length,
    draft.archive.changesNumbered(projectId, number).length,
    draft.archive.countMerged(projectId, 0),
  ];
  expect(archived()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  draft.apply({ stream: `session:${session.id}`, event: { type: "session.unarchived" } }, 10_000);
  draft.apply({ stream: `change:${change.key}`, event: { type: "change.unarchived" } }, 10_000);
  expect(archived()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect([[...draft.sessions()].length, [...draft.changesIn(projectId)].length]).toEqual([1, 1]);
});
