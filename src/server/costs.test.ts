import { describe, expect, it } from "vitest";
import { addUsage, NO_USAGE, type SessionUsage, type UsedReport } from "../core/cost/usage.ts";
import type { SessionEvent } from "../core/session/events.ts";
import type { World } from "../core/world.ts";
import type { CostGrouping, CostRowView } from "../protocol/views/cost.ts";
import { afterEvents, aMessage, aSession, aWorld } from "../testing/builders.ts";
import { aChange } from "../testing/change-builders.ts";
import { type CostQuery, listCosts, toSessionCost } from "./costs.ts";

const FIRST = Date.UTC(2026, 6, 1, 23, 59);
const SECOND = FIRST + 120_000;

function used(...reports: readonly (readonly [at: number, report: Partial<UsedReport>])[]): SessionUsage {
  return reports.reduce(
    (usage, [at, report]) => addUsage(usage, { inputTokens: 1000, outputTokens: 100, costUsd: 0, ...report }, at),
    NO_USAGE,
  );
}

/** Two sessions of one task, one that was merged twice, and one of another project whose model has no price. */
function anOffice(): World {
  const sessions = [
    aSession({ id: "a-1", projectId: "a", taskKey: "a/1", usage: used([FIRST, { costUsd: 1, model: "big" }]) }),
    aSession({
      ...{ id: "a-1-2", projectId: "a", taskKey: "a/1", title: "Again" },
      usage: used([FIRST, { model: "house" }], [SECOND, { costUsd: 3, model: "big" }]),
    }),
    aSession({ id: "b-7", projectId: "b", taskKey: "b/7", usage: used([SECOND, {}]) }),
    aSession({ id: "b-8", projectId: "b", taskKey: "b/8" }),
  ];
  const changes = [
    aChange({ key: "a/1", number: 1, sessionId: "a-1", phase: "closed" }),
    aChange({ key: "a/2", number: 2, sessionId: "a-1-2", phase: "merged", title: "First" }),
    aChange({ key: "a/3", number: 3, sessionId: "a-1-2", phase: "merged", title: "Second" }),
    aChange({ key: "b/4", number: 4, sessionId: "b-8", phase: "merged" }),
  ];
  const prices = { house: { input: 1000, cachedInput: 100, output: 10_000 } };
  return aWorld({ sessions, changes, fleet: { prices } });
}

function rowsBy(by: CostGrouping, query: Partial<CostQuery> = {}): readonly (readonly unknown[])[] {
  return short(listCosts(anOffice(), { by, project: null, since: null, ...query }).data);
}

function short(rows: readonly CostRowView[]): readonly (readonly unknown[])[] {
  return rows.map(({ key, costUsd, sessions }) => [key, costUsd, sessions]);
}

describe("costs", () => {
  it.each<[CostGrouping, readonly (readonly unknown[])[]]>([
    [
      "session",
      [
        ["a-1-2", 5, 1],
        ["a-1", 1, 1],
        ["b-7", null, 1],
      ],
    ],
    [
      "task",
      [
        ["a/1", 6, 2],
        ["b/7", null, 1],
      ],
    ],
    ["pull-request", [["a/2, a/3", 5, 1]]],
    [
      "model",
      [
        ["big", 4, 2],
        ["house", 2, 1],
        ["not named", null, 1],
      ],
    ],
    [
      "day",
      [
        ["2026-07-01", 3, 2],
        ["2026-07-02", 3, 2],
      ],
    ],
  ])("are summed by %s, most expensive first, without double counting", (by, expected) => {
    expect(rowsBy(by)).toEqual(expected);
  });

  it("are split by the outcome of the work", () => {
    const world = anOffice();
    const thrownAway = aSession({ id: "c-1", phase: "stopped", usage: used([FIRST, { costUsd: 7 }]) });
    const all = aWorld({
      sessions: [...world.sessions(), thrownAway],
      changes: [...world.changes(), aChange({ key: "c/1", sessionId: "c-1", phase: "closed" })],
      fleet: world.fleet(),
    });
    expect(short(listCosts(all, { by: "outcome", project: null, since: null }).data)).toEqual([
      ["discarded", 7, 1],
      ["merged", 5, 1],
      ["in-progress", 1, 2],
    ]);
  });

  it("are split by what agents were working on", () => {
    const messages = [aMessage({ id: "m-1" }), aMessage({ id: "m-2", about: "ci-failed" })];
    const turn = (messageId: string) => ({ messageId, text: { inline: "" }, at: 1 });
    const report: SessionEvent = { type: "agent.used", inputTokens: 1, outputTokens: 0, costUsd: 2 };
    const session = [turn("m-1"), turn("m-2"), turn("m-2"), null].reduce(
      (before, now) => afterEvents({ ...before, turn: now }, [report]),
      aSession({ id: "c-1", messages }),
    );
    const { data } = listCosts(aWorld({ sessions: [session] }), { by: "reason", project: null, since: null });
    expect(short(data)).toEqual([
      ["work", 4, 1],
      ["fixes", 4, 1],
    ]);
  });

  it("mark what is estimated and what is unknown", () => {
    const { total, data, pricesDate } = listCosts(anOffice(), { by: "session", project: null, since: null });
    expect(total).toMatchObject({ inputTokens: 4000, costUsd: 6, estimatedUsd: 2, unpricedTokens: 1100 });
    expect(data[0]).toMatchObject({ title: "Again", estimatedUsd: 2, unpricedTokens: 0 });
    expect(pricesDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it("can be limited to one project and a first day", () => {
    expect(rowsBy("session", { project: "b" })).toEqual([["b-7", null, 1]]);
    expect(rowsBy("session", { since: "2026-07-02" })).toEqual([
      ["a-1-2", 3, 1],
      ["b-7", null, 1],
    ]);
    expect(rowsBy("session", { since: "2026-07-03" })).toEqual([]);
  });

  it("of one session are split by model and by day", () => {
    const world = anOffice();
    const session = world.session("a-1-2");
    if (session === undefined) throw new Error("no session");
    const cost = toSessionCost(session, world, null);
    expect(cost).toMatchObject({ sessionId: "a-1-2", costUsd: 5, estimatedUsd: 2 });
    expect([short(cost.models), short(cost.days)]).toEqual([
      [
        ["big", 3, 1],
        ["house", 2, 1],
      ],
      [
        ["2026-07-01", 2, 1],
        ["2026-07-02", 3, 1],
      ],
    ]);
    expect(toSessionCost(session, world, "2026-07-02").costUsd).toBe(3);
  });
});
