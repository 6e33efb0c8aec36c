import { expect, it } from "vitest";
import type { CapacityView } from "../../../../src/protocol/views/capacity.ts";
import { formatClock } from "../../lib/time.ts";
import { describeLimit, describeWait, listFigures, slotKinds } from "./describe-capacity.ts";

const UNTIL = "2026-11-16T15:10:00Z";
const AGENT = {
  agent: "codex",
  working: 2,
  idle: 1,
  waiting: 1,
  rateLimited: 1,
  rateLimitedUntil: UNTIL,
  windows: [],
} as const;
const CAPACITY: CapacityView = {
  slots: { used: 5, limit: 5 },
  projects: [{ projectId: "api", used: 2, limit: 2, queued: 1 }],
  agents: [AGENT],
  queue: [],
  memory: { rssBytes: 100 * 2 ** 20 },
};

it("the figures show what is used, what waits and what is blocked", () => {
  expect(listFigures(CAPACITY).map(({ value, label, context }) => `${value} ${label}, ${context}`)).toEqual([
    "5 of 5 agents, no slot free",
    "0 tasks waiting, for a slot",
    "1 waiting for you, 1 idle",
    `1 rate limited, resumes at ${formatClock(UNTIL)}`,
    "100 MB daemon's memory, agents not included",
  ]);
});

it.each([
  [{ waitsFor: "fleet", behind: [] }, "5 of 5 agents busy, next free slot"],
  [{ waitsFor: "fleet", behind: ["a-1", "a-2"] }, "5 of 5 agents busy, after a-2"],
  [{ waitsFor: "project", behind: [] }, "2 of 2 agents of api busy, next free slot"],
  [{ waitsFor: "resume", behind: [] }, "paused"],
] as const)("%o is shown as %s", (queued, text) => {
  expect(describeWait({ sessionId: "api-3", position: 1, ...queued }, CAPACITY, "api")).toBe(text);
});

it("an agent without a rate limit has no description", () => {
  expect(describeLimit(AGENT)).toBe(`rate limited, resumes at ${formatClock(UNTIL)}`);
  expect(describeLimit({ ...AGENT, rateLimited: 0 })).toBeNull();
});

it("every slot that is held is one square", () => {
  expect(slotKinds(AGENT)).toEqual(["working", "working", "limited"]);
});
