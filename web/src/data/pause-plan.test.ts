import { describe, expect, it } from "vitest";
import { planPause } from "./pause-plan.ts";

const RUNNING = { paused: false, pausedProjects: [] };
const ALL = { paused: true, pausedProjects: [] };
const TERN = { paused: false, pausedProjects: ["tern"] };
const BOTH = { paused: true, pausedProjects: ["tern"] };

describe("the pause button", () => {
  it.each([
    [RUNNING, null, "Pause all", [null]],
    [RUNNING, "tern", "Pause tern", ["tern"]],
    [TERN, null, "Pause all", [null]],
    [TERN, "finch", "Pause finch", ["finch"]],
  ])("with %o and project %s: %s", (pauses, project, label, targets) => {
    expect(planPause(pauses, project)).toEqual({ isPaused: false, label, targets });
  });

  it.each([
    [ALL, null, "Resume all", [null]],
    [TERN, "tern", "Resume tern", ["tern"]],
    [ALL, "tern", "Resume all", [null]],
    [BOTH, "tern", "Resume all", ["tern", null]],
    [BOTH, "finch", "Resume all", [null]],
    [BOTH, null, "Resume all", [null]],
  ])("resumes what is paused, with %o and project %s: %s", (pauses, project, label, targets) => {
    expect(planPause(pauses, project)).toEqual({ isPaused: true, label, targets });
  });

  it("pauses before it is known what is paused", () => {
    expect(planPause(undefined, null)).toEqual({ isPaused: false, label: "Pause all", targets: [null] });
  });
});
