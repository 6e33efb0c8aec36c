import { expect, it } from "vitest";
import {
  agentTurn,
  ask,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  type Story,
  sessionOf,
  submit,
} from "../../../test/support/story.ts";
import { aSession } from "../../testing/builders.ts";
import { aChange, aPolicy, aRule } from "../../testing/change-builders.ts";
import type { StoredSignal } from "../agent-signal.ts";
import type { ChangeState } from "../change/state.ts";
import { requestReviewer } from "./reviewer.ts";

/** The types of a new reviewer's events. */
function reviewerOf(change: Partial<ChangeState>): readonly string[] {
  const names = { id: "demo-review-1", branch: "review-1", folder: "demo-review-1" };
  const request = { names, change: aChange(change), session: aSession(), prompt: { inline: "Review it." } };
  const events = requestReviewer({ ...request, markSeed: "seed", messageId: "m-1" });
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

/** A reviewer at work, of a session with this kind of input. */
function reviewing(input: "inbox" | "file"): Story {
  const rule = aRule({ action: "spawn-reviewer", message: "Review it." });
  const story = beginStory(aPolicy({ reactions: { "pr-opened": rule } }), undefined, { input });
  if (input === "inbox") agentTurn(story, "head1");
  else {
    story.branches.set("agent/fix-it", "head1");
    exit(story, "demo-fix-it", 0);
  }
  expect(sessionOf(story, "demo-review-1")).toMatchObject({ phase: "open", input });
  return story;
}

function exit(story: Story, sessionId: string, code: number): void {
  const { run } = sessionOf(story, sessionId);
  submit(story, { type: "run.exited", sessionId, run: run.n, code, evidence: `exit code ${code}` });
  perform(story);
}

function signal(story: Story, ...signals: readonly StoredSignal[]): void {
  const sessionId = "demo-review-1";
  submit(story, { type: "run.signals", sessionId, run: sessionOf(story, sessionId).run.n, signals });
  perform(story);
}

function expectFailure(story: Story): void {
  expect(sessionOf(story, "demo-review-1")).toMatchObject({ phase: "open" });
  expect(Object.keys(sessionOf(story, "demo-review-1").problems)).toEqual(["agent-exited"]);
  expect(eventsOf(story, "problem.escalated").map(({ id }) => id)).toContain("agent-exited");
}

it("a reviewer whose turn failed stays, a person is notified, and its next turn can finish the review", () => {
  const story = reviewing("inbox");
  const [task] = sessionOf(story, "demo-review-1").messages;
  signal(story, { kind: "received", id: task?.id ?? "" }, { kind: "errored", reason: "The model is overloaded." });
  expectFailure(story);
  const text = { inline: "Try again." };
  ask(story, {
    type: "session.send",
    sessionId: "demo-review-1",
    messageId: "m-again",
    text,
    bytes: 10,
  });
  agentTurn(story, null, "demo-review-1");
  expect(sessionOf(story, "demo-review-1").stopReason).toBe("the review is done");
  expect(changeOf(story).reviews).toMatchObject([{ author: "demo-review-1", verdict: "comment" }]);
});

it("a reviewer whose process failed stays, and a person is notified", () => {
  const story = reviewing("file");
  exit(story, "demo-review-1", 1);
  expectFailure(story);
});

it("a reviewer whose process ended well is stopped", () => {
  const story = reviewing("file");
  signal(story, { kind: "done", summary: "Rename it." });
  exit(story, "demo-review-1", 0);
  expect(sessionOf(story, "demo-review-1").stopReason).toBe("the review is done");
});
