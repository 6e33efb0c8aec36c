import { expect, it } from "vitest";
import { aCheck, aPull } from "../../../../test/support/pull-request-views.ts";
import { anAttention, aSession } from "../../../../test/support/session-views.ts";
import { countAgents, countMain, countMerged, countNeeds, type VitalsInput } from "./count-vitals.ts";

const NOW = Date.parse("2026-01-01T01:12:00Z");
const INPUT: VitalsInput = { sessions: [], inbox: 0, merged: [], slots: null, now: NOW };

it("shows how many need a person, and how long the oldest has waited", () => {
  const sessions = [aSession({ attention: anAttention("review") }), aSession()];
  expect(countNeeds({ ...INPUT, sessions })).toMatchObject({
    value: "1",
    label: "needs you",
    context: "oldest 1 h 12",
  });
  expect(countNeeds({ ...INPUT, sessions, inbox: 2 }).context).toBe("oldest 1 h 12, 2 in the inbox");
  expect(countNeeds({ ...INPUT, inbox: 1 }).context).toBe("1 in the inbox");
  expect(countNeeds(INPUT)).toMatchObject({ value: "0", context: "inbox is empty" });
});

it("counts agents without those that wait for a slot", () => {
  const sessions = [aSession(), aSession({ status: "queued", state: "idle" })];
  expect(countAgents({ ...INPUT, sessions })).toMatchObject({
    value: "1",
    label: "agent",
    context: "1 working, 1 queued",
  });
  expect(countAgents({ ...INPUT, sessions: [aSession()] }).context).toBe("1 working");
  expect(countAgents({ ...INPUT, sessions, slots: { used: 5, limit: 5 } })).toMatchObject({
    value: "5",
    label: "of 5 agents",
  });
});

it("omits merges if there are none", () => {
  expect(countMerged(INPUT)).toMatchObject({ value: "0", context: "none yet" });
});

it("shows in how many projects main is green, by the checks of the last merge", () => {
  const projects = ["app", "api"].map((id) => ({ id, defaultBranch: "main" }));
  const merged = (projectId: string, state: string) =>
    aPull({ projectId, phase: "merged", checks: [aCheck("unit", state)] });
  const both = [merged("app", "passed"), merged("api", "passed")];
  expect(countMain(projects, both)).toEqual({ value: "main", label: "green in 2 of 2", isGreen: true });
  const one = [merged("app", "passed"), merged("api", "failed")];
  expect(countMain(projects, one)).toMatchObject({ label: "green in 1 of 2", isGreen: false });
  expect(countMain(projects, [])).toMatchObject({ label: "in 2 projects", isGreen: false });
  expect(countMain(projects.slice(0, 1), both)).toMatchObject({ label: "green" });
});
