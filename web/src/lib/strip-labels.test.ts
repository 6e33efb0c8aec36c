import { describe, expect, it } from "vitest";
import { labelsOf, placeLabels } from "./strip-labels.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 16, 14, minute)).toISOString();

const SESSION = {
  createdAt: at(0),
  status: "needs-input",
  state: "waiting",
  attention: { kind: "permission", since: at(40) },
  pullRequests: [{ number: 235, openedAt: at(15) }],
  problems: [
    { key: "ci-failed", text: "check `unit` failed", since: at(20), attempts: 1, attemptsAllowed: 2 },
    { key: "agent-needs-input", text: "wants to run", since: at(40), attempts: 0, attemptsAllowed: null },
  ],
};

it("names what happened to a session, oldest first", () => {
  expect(labelsOf(SESSION).map(({ text, tone }) => [text, tone])).toEqual([
    ["task", ""],
    ["#235 opened", ""],
    ["check unit failed, sent to agent (1 of 2)", "bad"],
    ["permission", "you"],
  ]);
});

describe("labels on a strip", () => {
  const frame = { from: 0, to: 100, width: 400 };
  const label = (when: number, text: string) => ({ at: when, text, tone: "" }) as const;

  it("start at their moment", () => {
    expect(placeLabels([label(0, "task"), label(50, "opened")], frame).map(({ x, isBefore }) => [x, isBefore])).toEqual(
      [
        [0, false],
        [200, false],
      ],
    );
  });

  it("end at their moment if there is no space after it", () => {
    expect(placeLabels([label(98, "permission")], frame)).toMatchObject([{ isBefore: true }]);
  });

  it("yield to a later one", () => {
    const placed = placeLabels([label(0, "task"), label(1, "opened")], frame);
    expect(placed.map(({ text }) => text)).toEqual(["opened"]);
  });
});
