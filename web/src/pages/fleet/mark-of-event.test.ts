import { expect, it } from "vitest";
import { lineOf, markOfEvent } from "./mark-of-event.ts";

it.each([
  ["session:tern-142", "agent started", "tern-142 agent started"],
  ["pull-request:tern/229", "merged as 8c1f02a", "#229 merged as 8c1f02a"],
  ["pull-request:tern/229", "pull request #229 opened by ao: Fix it", "pull request #229 opened by ao: Fix it"],
])("%s, %s reads: %s", (stream, text, line) => {
  expect(lineOf({ stream, text })).toBe(line);
});

it("a merge is part of the day's story, a check that started is not", () => {
  expect(markOfEvent("pull-request.merged")).toBe("merged");
  expect(markOfEvent("check.started")).toBeNull();
});
