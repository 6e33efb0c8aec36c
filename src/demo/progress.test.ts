import { expect, it } from "vitest";
import { demoChange, demoEvent, demoSession, demoView } from "../../test/support/demo-views.ts";
import type { PullRequestView } from "../protocol/views/pull-request.ts";
import type { SessionView } from "../protocol/views/session.ts";
import { describeProgress } from "./progress.ts";
import { evolveTale, NO_TALE, type Tale } from "./tale.ts";

function lineOf(session: Partial<SessionView>, change?: Partial<PullRequestView>, tale: Tale = NO_TALE): string {
  const pullRequests = change === undefined ? [] : [demoChange("1", change)];
  const [row] = describeProgress(demoView({ sessions: [demoSession("1", session)], pullRequests }), tale);
  return `${row?.tone} ${row?.stage}: ${row?.detail}`;
}

it.each<[Partial<SessionView>, Partial<PullRequestView> | undefined, string]>([
  [{ status: "queued", evidence: "waits for room" }, undefined, "waiting queued: waits for room"],
  [{ status: "preparing", evidence: "being made" }, undefined, "busy starting: being made"],
  [{ status: "working" }, undefined, "busy working: digging"],
  [{ status: "needs-input", evidence: "asks: Why?" }, undefined, "trouble asks: Why?"],
  [{ status: "idle", evidence: "dug" }, undefined, "busy done: dug"],
  [{ status: "exited", evidence: "gave up" }, undefined, "trouble exited: gave up"],
  [{ status: "checks-running" }, { status: "checks-running", evidence: "tests run" }, "busy checks: #1 tests run"],
  [{ status: "review-pending" }, {}, "waiting review: #1 green; waiting for demo-reviewer"],
  [{ status: "ci-failed" }, { status: "ci-failed", evidence: "red" }, "trouble red: #1 red; log sent to its agent"],
  [{ status: "working" }, { status: "ci-failed" }, "busy fixing: #1 digging"],
  [
    { status: "conflict" },
    { status: "conflict", evidence: "it conflicts" },
    "trouble conflict: #1 it conflicts; sent to its agent",
  ],
  [{ status: "changes-requested" }, { status: "changes-requested", evidence: "asked" }, "trouble review: #1 asked"],
  [
    { status: "changes-requested" },
    { status: "changes-requested", evidence: "asked", checks: [] },
    "busy checks: #1 checking the requested change",
  ],
  [{ status: "merging" }, { status: "merging", evidence: "ao asked" }, "busy merging: #1 ao asked"],
  [{ status: "merge-waits" }, { status: "merge-waits", evidence: "an edit" }, "trouble merge-waits: #1 an edit"],
  [
    { status: "stopping" },
    { phase: "merged", status: "merged", mergeCommit: "1234567890" },
    "good merged: #1 is 1234567 on main; removing its worktree",
  ],
  [
    { status: "merged" },
    { phase: "merged", status: "merged", mergeCommit: "1234567890" },
    "good merged: #1 is 1234567 on main",
  ],
])("a session that is %j with a pull request that is %j is shown as %s", (session, change, expected) => {
  expect(lineOf(session, change)).toBe(expected);
});

it("an agent restarted after its death is not shown as a new one", () => {
  const tale = evolveTale(NO_TALE, demoEvent("session:garden-1", "run.ended"));
  expect(lineOf({ status: "starting" }, undefined, tale)).toMatch(/^trouble killed: /);
});
