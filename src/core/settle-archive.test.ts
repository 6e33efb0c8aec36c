import { describe, expect, it } from "vitest";
import { aSession, aWorld } from "../testing/builders.ts";
import { aChange } from "../testing/change-builders.ts";
import { createMemoryArchive } from "../testing/memory-archive.ts";
import { namesOf } from "./archive.ts";
import type { ChangeState } from "./change/state.ts";
import { evolve } from "./evolve.ts";
import type { SessionState } from "./session/state.ts";
import { ARCHIVE_AFTER_MS, archiveTime, bringBack, MAX_ARCHIVED_AT_ONCE, settleArchive } from "./settle-archive.ts";

const stopped = aSession({
  phase: "stopped",
  run: { state: "ended" },
  workspace: { state: "removed" },
  updatedAt: 1000,
});
const merged: ChangeState = {
  ...aChange({ sessionId: stopped.id, phase: "merged", issue: null, updatedAt: 5000 }),
  merged: { commit: "c", baseBefore: "b", by: "ann", strategy: "squash", deleteAfter: true, at: 4000 },
  branchFate: "deleted",
};
const due = 5000 + ARCHIVE_AFTER_MS;

describe("archiveTime", () => {
  it("is a day after the last event of the session or one of its pull requests", () => {
    expect(archiveTime(aWorld({ sessions: [stopped], changes: [merged] }), stopped)).toBe(due);
    expect(archiveTime(aWorld({ sessions: [stopped] }), stopped)).toBe(1000 + ARCHIVE_AFTER_MS);
  });

  const busy: readonly (readonly [string, SessionState, ChangeState])[] = [
    ["an open session", { ...stopped, phase: "open" }, merged],
    ["a session whose folder was kept", aSession({ ...stopped, workspace: { state: "kept" } }), merged],
    ["an open pull request", stopped, { ...merged, phase: "open" }],
    ["a branch that is not deleted yet", stopped, { ...merged, branchFate: null }],
    ["an issue that is not closed yet", stopped, { ...merged, issue: "42" }],
  ];
  it.each(busy)("is null with %s", (_, session, change) => {
    expect(archiveTime(aWorld({ sessions: [session], changes: [change] }), session)).toBeNull();
  });
});

describe("settleArchive", () => {
  it("archives a finished session together with its pull requests, and not before its time", () => {
    const world = aWorld({ sessions: [stopped], changes: [merged] });
    expect(settleArchive(world, due - 1)).toEqual([]);
    expect(settleArchive(world, due)).toEqual([
      { stream: `session:${stopped.id}`, event: { type: "session.archived" } },
      { stream: `change:${merged.key}`, event: { type: "change.archived" } },
    ]);
  });
});

it("settleArchive leaves what is too much for one commit to the next", () => {
  const sessions = Array.from({ length: MAX_ARCHIVED_AT_ONCE + 1 }, (_, index) => ({ ...stopped, id: `s-${index}` }));
  expect(settleArchive(aWorld({ sessions }), due)).toHaveLength(MAX_ARCHIVED_AT_ONCE);
});

describe("bringBack", () => {
  const archive = createMemoryArchive(
    new Map([
      [`session:${stopped.id}`, { ...stopped, archivedAt: due }],
      [`change:${merged.key}`, { ...merged, archivedAt: due }],
    ] as const),
  );
  const restore = { stream: `session:${stopped.id}`, event: { type: "session.restore-requested" } } as const;

  it("restores an archived session with its pull requests before anything else happens to it", () => {
    expect(bringBack(aWorld({ archive }), [restore])).toEqual([
      { stream: `session:${stopped.id}`, event: { type: "session.unarchived" } },
      { stream: `change:${merged.key}`, event: { type: "change.unarchived" } },
      restore,
    ]);
  });

  it("leaves events of live sessions unchanged", () => {
    const events = [restore];
    expect(bringBack(aWorld({ sessions: [stopped] }), events)).toBe(events);
  });
});

it("archiving keeps the time of the last event, and restoring gives the same state", () => {
  const archived = evolve(`session:${stopped.id}`, stopped, { type: "session.archived" }, due);
  expect(archived).toEqual({ ...stopped, archivedAt: due });
  expect(evolve(`session:${stopped.id}`, archived, { type: "session.unarchived" }, due + 1)).toEqual(stopped);
});

it("a session is found by its id, its project with folder or title, and its issue", () => {
  const session = aSession({ id: "demo-42-2", issue: "42", folder: "issue-42", title: "Fix the login" });
  expect(namesOf(session)).toEqual(["demo-42-2", "demo-42", "demo-fix-the-login", "#42"]);
});
