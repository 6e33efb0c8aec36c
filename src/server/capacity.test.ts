import { expect, it } from "vitest";
import { aProject, aQuestion, aSession, aWorld } from "../testing/builders.ts";
import { toCapacityView } from "./capacity.ts";

const sessions = [
  aSession({ id: "demo-1", agent: { plugin: "codex", config: {} } }),
  aSession({ id: "demo-2", agent: { plugin: "codex", config: {} }, question: aQuestion() }),
  aSession({ id: "demo-3", activity: { state: "limited" }, limitedUntil: 9000 }),
  aSession({ id: "demo-5", phase: "queued", createdAt: 3000 }),
  aSession({ id: "demo-4", phase: "queued", createdAt: 2000 }),
  aSession({ id: "demo-0", phase: "stopped" }),
];

it("counts slots, agents and what waits for them", () => {
  const world = aWorld({ sessions, projects: [aProject({ limit: 4 })], fleet: { limit: 2 } });
  expect(toCapacityView(world, { rssBytes: 7 })).toEqual({
    slots: { used: 2, limit: 2 },
    projects: [{ projectId: "demo", used: 2, limit: 4, queued: 2 }],
    agents: [
      {
        ...{ agent: "codex", working: 1, idle: 0, waiting: 1, rateLimited: 0 },
        ...{ rateLimitedUntil: null, windows: [] },
      },
      {
        ...{ agent: "command", working: 0, idle: 0, waiting: 0, rateLimited: 1 },
        ...{ rateLimitedUntil: new Date(9000).toISOString(), windows: [] },
      },
    ].sort((a, b) => (a.agent < b.agent ? -1 : 1)),
    queue: [
      { sessionId: "demo-4", position: 1, waitsFor: "fleet", behind: [] },
      { sessionId: "demo-5", position: 2, waitsFor: "fleet", behind: ["demo-4"] },
    ],
    memory: { rssBytes: 7 },
  });
});

it("shows a program's rate-limit windows, and when each is used up at its pace", () => {
  const samples = [40, 50, 60].map((usedPercent, n) => ({ at: n * 600_000, usedPercent }));
  const window = { name: "5 h", usedPercent: 60, resetsAt: null, samples };
  const world = aWorld({ sessions, rateWindows: { codex: [window] } });
  const [codex] = toCapacityView(world, { rssBytes: 0 }).agents.filter(({ agent }) => agent === "codex");
  expect(codex?.windows).toMatchObject([
    { name: "5 h", usedPercent: 60, resetsAt: null, exhaustedAt: "1970-01-01T01:00:00.000Z" },
  ]);
  expect(codex?.windows[0]?.samples).toHaveLength(3);
});

it.each([
  ["the project's limit", { projects: [aProject({ limit: 1 })], fleet: { limit: 9 } }, "project"],
  ["a pause", { projects: [aProject({ paused: true })], fleet: { limit: 9 } }, "resume"],
] as const)("shows that a queued session waits because of %s", (_name, facts, waitsFor) => {
  const [first] = toCapacityView(aWorld({ sessions, ...facts }), { rssBytes: 0 }).queue;
  expect(first?.waitsFor).toBe(waitsFor);
});
