import { expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { aChange } from "../../testing/change-builders.ts";
import { describeWork } from "./work-comment.ts";

const session = aSession({ issue: "7" });

it("is null for a session without an issue, and for one that waits for a slot", () => {
  expect(describeWork(aSession({ issue: null }), [])).toBeNull();
  expect(
    describeWork(aSession({ issue: "7", phase: "queued", workspace: { ...session.workspace, state: "none" } }), []),
  ).toBeNull();
});

it("links a pull request with a page", () => {
  const change = aChange({ number: 3, url: "https://github.com/octo/demo/pull/3" });
  expect(describeWork(session, [change])).toContain("[pull request #3](https://github.com/octo/demo/pull/3)");
});

it("omits the number of a local pull request, which would link to another issue", () => {
  expect(describeWork(session, [aChange({ number: 3 })])).not.toContain("#3");
});

it("says that a stopped session ended without a merge", () => {
  expect(describeWork(aSession({ issue: "7", phase: "stopped" }), [])).toContain("ended without a merge");
});
