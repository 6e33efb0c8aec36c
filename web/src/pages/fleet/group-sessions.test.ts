import { describe, expect, it } from "vitest";
import { anAttention, aSession } from "../../../../test/support/session-views.ts";
import { filterSessions, groupSessions } from "./group-sessions.ts";

const SESSIONS = [
  aSession({ id: "w1", projectId: "tern", agent: "codex", title: "Split the bundle" }),
  aSession({ id: "w2", projectId: "api", status: "rate-limited", state: "waiting" }),
  aSession({ id: "q", projectId: "tern", status: "queued", state: "idle" }),
  aSession({ id: "n", projectId: "api", status: "needs-input", state: "waiting", attention: anAttention("question") }),
  aSession({ id: "r", projectId: "api", status: "ci-failed", state: "working" }),
  aSession({ id: "gone", status: "stopped", state: "idle" }),
];

const shape = (by: "need" | "project" | "agent") =>
  groupSessions(SESSIONS, by).map(({ title, sessions, summary }) => [title, sessions.map(({ id }) => id), summary]);

describe("the groups of the fleet", () => {
  it("are by need, without empty and ended ones, each with a summary", () => {
    expect(shape("need")).toEqual([
      ["Needs you", ["n"], "most costly wait first"],
      ["In review", ["r"], "fixing"],
      ["Working", ["w1", "w2"], "1 working, 1 rate limited"],
      ["Queued", ["q"], "in start order"],
    ]);
  });

  it("repeat neither the group's name nor a number that is already shown", () => {
    const running = { status: "checks-running", state: "waiting" } as const;
    const summaries = (...sessions: Parameters<typeof aSession>[0][]) =>
      groupSessions(sessions.map(aSession), "need").map(({ summary }) => summary);
    expect(summaries({ id: "a" }, { id: "b" })).toEqual([""]);
    expect(summaries({ id: "a", ...running })).toEqual(["running checks"]);
    expect(summaries({ id: "a", ...running }, { id: "b", status: "ci-failed" })).toEqual([
      "1 running checks, 1 fixing",
    ]);
  });

  it("are by project or agent after what needs a person", () => {
    expect(shape("project").map(([title, ids]) => [title, ids])).toEqual([
      ["Needs you", ["n"]],
      ["api", ["r", "w2"]],
      ["tern", ["w1", "q"]],
    ]);
    expect(shape("agent").map(([title]) => title)).toEqual(["Needs you", "codex", "command"]);
  });

  it("put the most expensive wait first", () => {
    const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, 60 - minutes)).toISOString();
    const need = (id: string, minutes: number, blocks: readonly string[]) =>
      aSession({ id, blocks, attention: anAttention("question", { at: at(minutes), rank: 1 }) });
    const sessions = [need("short", 5, []), need("long", 30, []), need("blocking", 12, ["1", "2"])];
    const now = Date.UTC(2026, 0, 1, 1);
    expect(groupSessions(sessions, "need", now)[0]?.sessions.map(({ id }) => id)).toEqual([
      "blocking",
      "long",
      "short",
    ]);
  });
});

describe("the filter", () => {
  it.each([
    ["", 6],
    ["bundle", 1],
    ["CODEX split", 1],
    ["codex nothing", 0],
    ["is:working", 2],
    ["fixing", 1],
  ])("%o leaves %d sessions", (filter, count) => expect(filterSessions(SESSIONS, filter)).toHaveLength(count));
});
