import { expect, it } from "vitest";
import { functionName, HOOK_POINTS, type HookPoint } from "./hook.ts";
import type { Hooks } from "./hook-module.ts";

// The compiler asks for every function in the types that authors of hooks use.
const POINTS: Readonly<Record<keyof Hooks, HookPoint>> = {
  beforeTaskAssigned: "before-task-assigned",
  afterWorkspaceCreated: "after-workspace-created",
  beforeAgentStarted: "before-agent-started",
  afterPrOpened: "after-pr-opened",
  onCiFinished: "on-ci-finished",
  beforeMerge: "before-merge",
  afterMerge: "after-merge",
  beforeCleanup: "before-cleanup",
};

it("every point has a function in the types of the package, named after it", () => {
  expect(Object.fromEntries(HOOK_POINTS.map((point) => [functionName(point), point]))).toEqual(POINTS);
});
