import { describe, expect, it } from "vitest";
import { aCheck, aPull } from "../../../test/support/pull-request-views.ts";
import { anAttention, aSession } from "../../../test/support/session-views.ts";
import { countSessions, sortSessions } from "../../protocol/fleet-order.ts";
import type { FleetView } from "../../protocol/views/fleet.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { describeFleet, shortNames } from "./session-row.ts";
import { renderSessions } from "./session-table.ts";
import { style } from "./style.ts";
import { widthOf } from "./text-width.ts";

const plain = style({});
const now = Date.parse("2026-01-01T01:00:00Z");
const money = { inputTokens: 10, cachedTokens: 0, outputTokens: 1, estimatedUsd: 0, unpricedTokens: 0 };
const quiet: FleetView = {
  paused: false,
  pausedProjects: [],
  costToday: { ...money, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  position: 0,
};

const SESSIONS: readonly SessionView[] = sortSessions([
  aSession({ id: "app-fix", title: "Fix it", activity: "Bash: npm test" }),
  aSession({
    id: "app-42",
    title: "Keep the newlines of permission questions, also in a narrow terminal",
    status: "needs-input",
    state: "waiting",
    attention: anAttention("permission", { text: "wants to run:\necho tidy up\nrm -f license" }),
    cost: { ...money, costUsd: 1.42 },
  }),
  aSession({
    id: "app-日本",
    title: "日本語のタイトル 👩‍👩‍👧 とても長いので途中で切られる",
    status: "ci-failed",
    evidence: "check unit failed",
    pullRequests: [aPull({ checks: [aCheck("unit", "failed"), aCheck("lint")] })],
  }),
]);

describe("the table of sessions on a terminal", () => {
  it("shows what needs a person first, and at 80 columns everything that matters", () => {
    expect(renderSessions(SESSIONS, { now, style: plain, columns: 80 })).toEqual([
      "#   STATUS          TASK                 ACTIVITY             PR      COST  AGE",
      "@1  ? permission    Keep the newlines …  wants to run: ⏎ ec…         $1.42   1h",
      "@2  ✗ check failed  日本語のタイトル …   check unit failed    #3 ✗✓          1h",
      "@3  ● working       Fix it               Bash: npm test                      1h",
    ]);
  });

  it("says which agents are sandboxed, once one is", () => {
    const [boxed, plainOne] = [aSession({ id: "app-a", sandbox: "bubblewrap" }), aSession({ id: "app-b" })];
    const lines = renderSessions([boxed, plainOne], { now, style: plain, columns: 160 });
    expect(lines[0]).toContain(" SANDBOX ");
    expect(lines.slice(1).map((line) => / (yes|no) /.exec(line)?.[1])).toEqual(["yes", "no"]);
    const piped = renderSessions([boxed, plainOne], { now, style: plain });
    expect(piped.map((line) => line.trim().split(/\s+/).at(-1))).toEqual(["SANDBOX", "yes", "no"]);
  });

  it("is never wider than the terminal", () => {
    for (let columns = 1; columns <= 200; columns += 1) {
      const widths = renderSessions(SESSIONS, { now, style: plain, columns }).map(widthOf);
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    }
  });

  it("drops the name first, because the number can replace it, and keeps number, state and task to the end", () => {
    const heads = (columns: number): string => renderSessions(SESSIONS, { now, style: plain, columns })[0] ?? "";
    expect(heads(160).split(/\s+/)).toEqual(["#", "STATUS", "SESSION", "TASK", "ACTIVITY", "PR", "COST", "AGE"]);
    expect(heads(60).split(/\s+/)).toEqual(["#", "STATUS", "TASK", "ACTIVITY"]);
    expect(heads(40).split(/\s+/)).toEqual(["#", "STATUS", "TASK"]);
  });

  it("omits empty columns", () => {
    const [head] = renderSessions([aSession()], { now, style: plain, columns: 200 });
    expect(head?.split(/\s+/)).toEqual(["#", "STATUS", "SESSION", "TASK", "ACTIVITY", "AGE"]);
  });
});

it("prints whole ids and texts to a pipe, in the API's words", () => {
  const [head, first] = renderSessions(SESSIONS, { now, style: plain });
  expect(head).toMatch(/^# {3}SESSION +STATUS +PR +COST +AGE +TASK +ACTIVITY$/);
  expect(first).toMatch(
    /^@1 {2}app-42 +needs-input +\$1\.42 +1h +Keep the newlines of .* narrow terminal +wants to run: ⏎/,
  );
});

it("names sessions by the shortest prefix of their id that no other has", () => {
  expect(shortNames(["web-fix-login", "web-add-dark-mode", "web-add-tests", "web-42", "solo"])).toEqual([
    "web-fix",
    "web-add-dark",
    "web-add-tests",
    "web-42",
    "solo",
  ]);
  expect(shortNames(["web-fix", "web-fix-2"])).toEqual(["web-fix", "web-fix-2"]);
});

it.each<[Partial<FleetView>, string]>([
  [{}, "3 sessions · 1 needs you · 1 in review · 1 working"],
  [{ paused: true }, "3 sessions · 1 needs you · 1 in review · 1 working · paused"],
  [{ pausedProjects: ["web"] }, "3 sessions · 1 needs you · 1 in review · 1 working · web paused"],
  [
    { costToday: { ...money, costUsd: 3.8, estimatedUsd: 1 } },
    "3 sessions · 1 needs you · 1 in review · 1 working · ~$3.80 today",
  ],
])("summarizes the fleet: %j", (changes, text) => {
  expect(describeFleet(countSessions(SESSIONS), { ...quiet, ...changes })).toBe(text);
});
