import { describe, expect, it } from "vitest";
import type { TrainView } from "../../protocol/views/train.ts";
import { renderTrain } from "./train-view.ts";

const PLAIN = { dim: (text: string) => text, bold: (text: string) => text };
const COMMIT = "8c1f02a0000000000000000000000000000000000";

const TRAIN: TrainView = {
  projectId: "shop",
  base: "main",
  baseHead: COMMIT,
  isOn: true,
  main: { state: "green", text: "is green at 8c1f02a0000" },
  pausedBy: null,
  batch: {
    stage: "checking",
    text: "checking a91f04c = main 8c1f02a + #7",
    commit: COMMIT,
    base: COMMIT,
    cars: [{ number: 7, title: "Fix it", sessionId: null, head: COMMIT }],
    checks: [{ name: "unit", state: "running" }],
    since: "2026-01-01T00:00:00.000Z",
  },
  waiting: [
    { number: 8, title: "Add search", sessionId: null, head: COMMIT, waitsFor: [] },
    { number: 9, title: "Sort it", sessionId: null, head: COMMIT, waitsFor: ["check `unit` running"] },
  ],
};

describe("the merge train in a terminal", () => {
  it("shows what is being tried on which base, then what waits and why", () => {
    expect(renderTrain(TRAIN, PLAIN)).toEqual([
      "shop main 8c1f02a000",
      "  main is green at 8c1f02a0000",
      "  now  checking a91f04c = main 8c1f02a + #7 (unit running)",
      "    1  #8 Add search",
      "    2  #9 Sort it (check `unit` running)",
    ]);
  });

  it("says who paused it, and that it is empty", () => {
    const view = { ...TRAIN, main: null, pausedBy: "ann", batch: null, waiting: [] };
    expect(renderTrain(view, PLAIN)).toEqual([
      "shop main 8c1f02a000, paused by ann (`ao train resume` continues)",
      "  empty",
    ]);
  });
});
