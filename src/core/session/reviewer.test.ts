import { expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { aChange } from "../../testing/change-builders.ts";
import type { ChangeState } from "../change/state.ts";
import { requestReviewer } from "./reviewer.ts";

/** The types of a new reviewer's events. */
function reviewerOf(change: Partial<ChangeState>): readonly string[] {
  const names = { id: "demo-review-1", branch: "review-1", folder: "demo-review-1" };
  const request = { names, change: aChange(change), session: aSession(), prompt: { inline: "Review it." } };
  const events = requestReviewer({ ...request, messageId: "m-1" });
  return events.filter(({ stream }) => stream === "session:demo-review-1").map(({ event }) => event.type);
}

it("the reviewer of a pull request whose agent read untrusted text is marked before its first message", () => {
  expect(reviewerOf({ readUntrusted: { from: "mallory", at: 1 } })).toEqual([
    "session.requested",
    "untrusted.read",
    "message.queued",
  ]);
  expect(reviewerOf({})).toEqual(["session.requested", "message.queued"]);
});
