import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  ask,
  beginStory,
  changeOf,
  eventsOf,
  perform,
  restart,
  type Story,
  sessionOf,
  submit,
} from "../../../test/support/story.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import type { IntentOutcome } from "../intent.ts";

/** The agent has committed, and its pull request is being opened. */
function opening(): Story {
  const story = beginStory();
  story.held.add("open-change");
  agentTurn(story, "head1");
  return story;
}

function answer(story: Story, outcome: IntentOutcome): void {
  const intent = [...story.open.values()].find(({ spec }) => spec.kind === "open-change");
  submit(story, { type: "intent.outcome", id: intent?.id ?? "", outcome });
}

const refused: IntentOutcome = { kind: "failed", code: "plugin-failed", message: "The forge is down.", hint: null };

const asked = {
  type: "change.open",
  sessionId: "demo-fix-it",
  title: "By hand",
  body: null,
  facts: { head: "head1", baseHead: "base0", ahead: 1 },
  by: "ann",
} as const;

describe("a pull request", () => {
  it("has the forge's number and URL", () => {
    const story = opening();
    answer(story, { kind: "change-opened", number: 41, url: "https://forge.test/41" });
    expect(changeOf(story, "demo/41")).toMatchObject({ number: 41, url: "https://forge.test/41", openedBy: "ao" });
  });

  it("is requested from the forge again after a crash, and recorded once", () => {
    const story = opening();
    restart(story);
    story.held.delete("open-change");
    perform(story);
    expect(eventsOf(story, "change.opened")).toHaveLength(1);
    expect(story.opened).toBe(1);
  });

  it("that the forge did not open is retried, later each time, and a person sees why", () => {
    const story = opening();
    answer(story, refused);
    expect(sessionOf(story).problems["pull-request-failed"]).toMatchObject({
      text: "pull request not opened: The forge is down.",
    });
    expect(sessionOf(story).opening).toMatchObject({ failures: 1, notBefore: story.now + 5000 });
    advance(story, 5000);
    answer(story, refused);
    expect(sessionOf(story).opening).toMatchObject({ failures: 2, notBefore: story.now + 10_000 });
    story.held.delete("open-change");
    advance(story, 10_000);
    expect(changeOf(story).phase).toBe("open");
    expect(sessionOf(story).problems).toEqual({});
  });

  it("for a newer commit does not wait for the retry of an older one", () => {
    const story = opening();
    answer(story, refused);
    story.held.delete("open-change");
    agentTurn(story, "head2");
    expect(changeOf(story).head).toBe("head2");
  });

  it("requested by a person is opened during a pause, with that person's words", () => {
    const story = beginStory(aPolicy({ openPullRequest: "agent" }));
    agentTurn(story, "head1");
    submit(story, { type: "fleet.pause", projectId: null });
    ask(story, asked);
    expect(changeOf(story)).toMatchObject({ title: "By hand", openedBy: "ann", head: "head1" });
  });

  it("requested by a person in vain is not retried", () => {
    const story = beginStory(aPolicy({ openPullRequest: "agent" }));
    story.held.add("open-change");
    agentTurn(story, "head1");
    ask(story, asked);
    answer(story, refused);
    advance(story, 60_000);
    expect(sessionOf(story).opening).toMatchObject({ request: null, reason: "The forge is down.", count: 1 });
    expect([...story.open.values()].filter(({ spec }) => spec.kind === "open-change")).toEqual([]);
  });

  it("that was closed and is open on the forge again is reopened", () => {
    const story = beginStory();
    agentTurn(story, "head1");
    ask(story, { type: "change.close", key: "demo/1", by: "ann", reason: "no" });
    story.held.add("open-change");
    ask(story, asked);
    answer(story, { kind: "change-opened", number: 1, url: null });
    expect(changeOf(story).phase).toBe("open");
    expect(eventsOf(story, "change.reopened")).toEqual([{ type: "change.reopened", by: "ann" }]);
  });
});
