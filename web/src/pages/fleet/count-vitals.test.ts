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

it("counts agents against the slots where those are known", () => {
  const sessions = [aSession(), aSession({ status: "queued", state: "idle" })];
  expect(countAgents({ ...INPUT, sessions })).toMatchObject({
    value: "1",
    label: "agent",
    context: "1 working, 1 queued",
  });
  expect(countAgents({ ...INPUT, sessions: [aSession()], slots: { used: 1, limit: 5 } })).toMatchObject({
    label: "of 5 agents",
    context: "1 working, 4 slots free",
  });
});

it("says nothing of merges when there are none", () => {
  expect(countMerged(INPUT)).toMatchObject({ value: "0", context: "none yet" });
});
