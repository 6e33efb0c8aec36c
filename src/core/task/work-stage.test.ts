import { expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { aChange } from "../../testing/change-builders.ts";
import { stageOf } from "./work-stage.ts";

const session = aSession({ issue: "ENG-7" });

it.each([
  ["working while the session has a worktree", session, [], "working"],
  ["in review while its pull request is open", session, [aChange({ phase: "open" })], "review"],
  ["none once it is merged", session, [aChange({ phase: "merged" })], null],
  ["none without an issue", aSession({ issue: null }), [], null],
  ["none for a stopped session", aSession({ issue: "ENG-7", phase: "stopped" }), [], null],
] as const)("is %s", (_name, of, changes, wanted) => {
  expect(stageOf(of, changes)).toBe(wanted);
});
