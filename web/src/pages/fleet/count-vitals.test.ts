import { expect, it } from "vitest";
import { anAttention, aSession } from "../../../../test/support/session-views.ts";
import { countAgents, countMerged, countNeeds, type VitalsInput } from "./count-vitals.ts";

const NOW = Date.parse("2026-01-01T01:12:00Z");
const INPUT: VitalsInput = { sessions: [], merged: [], slots: null, now: NOW };

it("says how many need a person, and how long the oldest waits", () => {
  const sessions = [aSession({ attention: anAttention("review") }), aSession()];
  expect(countNeeds({ ...INPUT, sessions })).toMatchObject({
    value: "1",
    label: "needs you",
    context: "oldest 1 h 12",
  });
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

it("says nothing of merges when there are none", () => {
  expect(countMerged(INPUT)).toMatchObject({ value: "0", context: "none yet" });
});
