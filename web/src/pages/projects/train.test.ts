import { describe, expect, it } from "vitest";
import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { TrainView } from "../../../../src/protocol/views/train.ts";
import { trainCars } from "./train.ts";

const TRAIN: TrainView = {
  projectId: "shop",
  base: "main",
  baseHead: "8c1f02a",
  isOn: true,
  main: null,
  pausedBy: null,
  batch: {
    stage: "checking",
    text: "checking a91f04c = main 8c1f02a + #228",
    commit: "a91f04c",
    base: "8c1f02a",
    cars: [{ number: 228, title: "Sort", sessionId: "shop-119", head: "h1" }],
    checks: [{ name: "unit", state: "running" }],
    since: "2026-01-01T00:00:00.000Z",
  },
  waiting: [{ number: 229, title: "Window", sessionId: null, head: "h2", waitsFor: ["check `unit` running"] }],
};

function open(number: number, status: PullRequestView["status"], evidence: string): PullRequestView {
  return { number, title: `Title ${number}`, sessionId: null, status, evidence } as PullRequestView;
}

describe("the cars of a merge train", () => {
  it("are what is being tried, then what waits, then what could join", () => {
    const pulls = [
      open(236, "review-pending", "needs 1 approval"),
      open(231, "mergeable", "approved and green"),
      open(228, "merging", ""),
    ];
    const shown = trainCars(TRAIN, pulls).map(({ number, place, note, isAboard }) => [number, place, note, isAboard]);
    expect(shown).toEqual([
      [228, "1st, checking", "a91f04c = main 8c1f02a + #228", true],
      [229, "2nd", "check `unit` running", true],
      [231, "3rd if you merge it", "approved and green", false],
      [236, "not ready", "needs 1 approval", false],
    ]);
  });

  it("are at most four", () => {
    const pulls = [1, 2, 3, 4, 5].map((number) => open(number, "mergeable", ""));
    expect(trainCars(TRAIN, pulls)).toHaveLength(4);
  });
});
