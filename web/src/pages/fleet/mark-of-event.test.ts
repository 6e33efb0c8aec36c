import { expect, it } from "vitest";
import { lineOf, markOfEvent } from "./mark-of-event.ts";

it.each([
  ["session:tern-142", "agent started", "tern-142 agent started"],
  ["pull-request:tern/229", "merged as 8c1f02a", "#229 merged as 8c1f02a"],
  ["pull-request:tern/229", "pull request #229 opened by ao: Fix it", "pull request #229 opened by ao: Fix it"],
])("%s, %s reads: %s", (stream, text, line) => {
  expect(lineOf({ stream, text })).toBe(line);
});

it("names a published pull request by the number that its forge gave it", () => {
  const stream = "pull-request:tern/1";
  expect(lineOf({ stream, number: 7, text: "merged as 8c1f02a" })).toBe("#7 merged as 8c1f02a");
  expect(lineOf({ stream, number: 7, text: "pull request #1 opened by ao" })).toBe("pull request #1 opened by ao");
});

it.each([
  ["pull-request.merged", {}, "merged"],
  ["check.started", {}, null],
  ["problem.seen", { key: "ci-failed" }, "failed"],
  ["problem.seen", { key: "approved-and-green" }, "ready"],
  ["problem.seen", { key: "agent-needs-input" }, null],
])("the mark of %s %j is %s", (type, data, mark) => {
  expect(markOfEvent({ type, data } as Parameters<typeof markOfEvent>[0])).toBe(mark);
});
