import { describe, expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { type LiveReport, withLiveReport } from "./live-report.ts";

const session = aSession({
  run: { state: "alive", n: 2 },
  activity: { state: "working", note: "reads", at: 1000 },
  updatedAt: 1000,
});
const report: LiveReport = { run: 2, state: "working", note: "writes", at: 2000 };

describe("the newest report of an agent", () => {
  it("is shown as its current activity", () => {
    expect(withLiveReport(session, report)).toMatchObject({
      activity: { state: "working", note: "writes", evidence: "the agent reported it", at: 2000 },
      updatedAt: 2000,
    });
  });

  it.each<[string, LiveReport | null]>([
    ["when there is none", null],
    ["when the log knows something newer", { ...report, at: 999 }],
    ["when another run printed it", { ...report, run: 1 }],
  ])("changes nothing %s", (_, newest) => {
    expect(withLiveReport(session, newest)).toBe(session);
  });

  it("changes nothing once the run has ended", () => {
    const ended = aSession({ ...session, run: { ...session.run, state: "ended" } });
    expect(withLiveReport(ended, report)).toBe(ended);
  });

  it("keeps the summary of a turn when the agent repeats that it is idle", () => {
    const idle = aSession({ ...session, activity: { state: "idle", note: "all of it", at: 1000 } });
    expect(withLiveReport(idle, { ...report, state: "idle", note: null })).toBe(idle);
    expect(withLiveReport(idle, { ...report, state: "idle", note: "ready" }).activity.note).toBe("ready");
  });
});
