import { describe, expect, it } from "vitest";
import { MARKS, type Mark, needOf, stateOf } from "./state-of.ts";

const of = (status: string, state?: string, kind?: string) =>
  stateOf({
    status,
    ...(state === undefined ? {} : { state }),
    ...(kind === undefined ? {} : { attention: { kind } }),
  });

/** Status, state, need; then mark and label. */
const CASES: readonly (readonly [string, string | undefined, string | undefined, Mark, string])[] = [
  ["needs-input", "waiting", "question", "question", "Question"],
  ["needs-input", "waiting", "permission", "question", "Permission"],
  ["needs-input", "waiting", undefined, "question", "Question"],
  ["ci-failed", "idle", "ci-failed:unit", "escalated", "Escalated"],
  ["conflict", "idle", "merge-conflict", "escalated", "Escalated"],
  ["exited", "error", "agent-exited", "escalated", "Agent exited"],
  ["exited", "error", undefined, "escalated", "Agent exited"],
  ["errored", "error", undefined, "escalated", "Turn failed"],
  ["workspace-missing", "error", undefined, "escalated", "No worktree"],
  ["failed", "error", undefined, "failed", "Failed"],
  ["no-signal", "working", undefined, "no-signal", "No signal"],
  ["no-signal", "working", "agent-stuck", "no-signal", "No signal"],
  ["mergeable", "idle", "approved-and-green", "ready", "Ready to merge"],
  ["mergeable", undefined, undefined, "ready", "Ready to merge"],
  ["review-pending", "idle", "review", "review", "Needs review"],
  ["changes-requested", "idle", "review", "review", "Needs review"],
  ["check-setup-failed", "idle", undefined, "setup-failed", "Setup failed"],
  ["merge-waits", "idle", undefined, "setup-failed", "Merge waits"],
  ["blocked", undefined, undefined, "setup-failed", "Blocked"],
  ["ci-failed", "idle", undefined, "fixing", "Fixing"],
  ["conflict", "working", undefined, "fixing", "Fixing"],
  ["changes-requested", "working", undefined, "fixing", "Fixing"],
  ["checks-running", "idle", undefined, "checks-running", "Checks running"],
  ["merging", "idle", undefined, "merging", "Merging"],
  ["working", "working", undefined, "working", "Working"],
  ["preparing", "working", undefined, "working", "Preparing"],
  ["stopping", "working", undefined, "working", "Stopping"],
  ["idle", "idle", undefined, "idle", "Idle"],
  ["exited", "idle", undefined, "idle", "Idle"],
  ["rate-limited", "waiting", undefined, "paused", "Rate limited"],
  ["paused", "idle", undefined, "paused", "Paused"],
  ["queued", "idle", undefined, "queued", "Queued"],
  ["merged", "idle", undefined, "merged", "Merged"],
  ["stopped", "idle", undefined, "stopped", "Stopped"],
  ["closed", undefined, undefined, "stopped", "Closed"],
  ["something-new", "idle", undefined, "unknown", "Unknown"],
];

describe("a state mark", () => {
  it.each(CASES)("of %s (%s, needs %s) is %s, %s", (status, state, kind, mark, label) => {
    expect(of(status, state, kind)).toEqual({ mark, label });
  });

  it("uses every shape", () => {
    expect(new Set(CASES.map(([, , , mark]) => mark))).toEqual(new Set(MARKS));
  });

  it("labels an unknown need as escalated", () => expect(needOf("new-kind:x").label).toBe("Escalated"));
});
