import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  ask,
  beginStory,
  eventsOf,
  MINUTE,
  perform,
  restart,
  type Story,
  sessionOf,
  submit,
  toldOf,
} from "../../../test/support/story.ts";
import { DEFAULT_REACTIONS } from "../../config/default-reactions.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { deriveStatus } from "./status.ts";

const BRANCH = "agent/fix-it";

function begin(): Story {
  return beginStory(aPolicy({ reactions: DEFAULT_REACTIONS }));
}

/** A turn that leaves files in this state behind, with a commit if given. */
function dirtyTurn(story: Story, tree: string, commit: string | null = null): void {
  story.dirty.set(BRANCH, tree);
  agentTurn(story, commit);
}

function send(story: Story, id: string): void {
  ask(story, { type: "session.send", sessionId: "demo-fix-it", messageId: id, text: { inline: "go on" }, bytes: 5 });
}

function reminders(story: Story): readonly string[] {
  return toldOf(story).filter((text) => text.includes("not committed"));
}

function escalated(story: Story): readonly string[] {
  return eventsOf(story, "problem.escalated").map(({ id }) => id);
}

describe("a turn that ends with changes and no commit", () => {
  it("is shown at once, and the agent is reminded with the files", () => {
    const story = begin();
    dirtyTurn(story, "t1");
    expect(deriveStatus(sessionOf(story), { paused: false }).evidence).toBe("2 files not committed; done");
    expect(reminders(story)).toEqual([
      expect.stringMatching(
        /^Your turn ended with 2 files not committed on branch agent\/fix-it\.\n<<<<<<<< files not committed [^\n]*\na\.txt\nb\.txt\n/,
      ),
    ]);
    expect(escalated(story)).toEqual([]);
  });

  it("costs one reminder, then a person is notified, even across restarts", () => {
    const story = begin();
    dirtyTurn(story, "t1");
    restart(story);
    dirtyTurn(story, "t1");
    restart(story);
    expect(escalated(story)).toEqual(["uncommitted"]);
    for (const tree of ["t1", "t2"]) {
      send(story, `m-${tree}`);
      dirtyTurn(story, tree);
    }
    advance(story, 10 * MINUTE);
    expect(reminders(story)).toHaveLength(1);
    expect(escalated(story)).toEqual(["uncommitted"]);
  });

  it("is over with a commit, and the next time has its own reminder", () => {
    const story = begin();
    dirtyTurn(story, "t1");
    story.dirty.clear();
    agentTurn(story, "c1");
    expect(sessionOf(story).problems).toEqual({});
    expect(eventsOf(story, "change.opened")).toHaveLength(1);
    send(story, "m-2");
    dirtyTurn(story, "t2");
    expect(reminders(story)).toHaveLength(2);
  });

  it("is over when someone else commits", () => {
    const story = begin();
    dirtyTurn(story, "t1");
    dirtyTurn(story, "t1");
    const facts = { head: "c1", baseHead: "base0", ahead: 1, uncommitted: null };
    submit(story, { type: "branch.moved", sessionId: "demo-fix-it", facts });
    perform(story);
    expect(sessionOf(story).problems).toEqual({});
    expect(eventsOf(story, "change.opened")).toHaveLength(1);
  });
});

describe("nobody is reminded", () => {
  it("of files next to a commit, even after later turns that leave them unchanged", () => {
    const story = begin();
    dirtyTurn(story, "t1", "c1");
    send(story, "m-2");
    dirtyTurn(story, "t1");
    expect(reminders(story)).toEqual([]);
    expect(deriveStatus(sessionOf(story), { paused: false }).evidence).toContain("2 files not committed");
  });

  it.each(["Should I use tabs?", "Tabs or spaces? \n", "interrupted"])("after a turn that ends with %j", (summary) => {
    const story = begin();
    story.dirty.set(BRANCH, "t1");
    const received = sessionOf(story).messages.map(({ id }) => ({ kind: "received", id }) as const);
    const signals = [...received, { kind: "done", summary } as const];
    submit(story, { type: "run.signals", sessionId: "demo-fix-it", run: 1, signals });
    perform(story);
    advance(story, 4 * MINUTE);
    expect(reminders(story)).toEqual([]);
    expect(sessionOf(story).branchSeen).toMatchObject({ isForgotten: true });
  });

  it("while a question is open, but once it is answered and the turn is over", () => {
    const story = begin();
    story.dirty.set(BRANCH, "t1");
    const asked = { kind: "asked", id: "q", question: "Which?", choices: [] } as const;
    const [task] = sessionOf(story).messages;
    const signals = [{ kind: "received", id: task?.id ?? "" } as const, asked];
    submit(story, { type: "run.signals", sessionId: "demo-fix-it", run: 1, signals });
    perform(story);
    expect(reminders(story)).toEqual([]);
    ask(story, { type: "session.answer", sessionId: "demo-fix-it", choice: "a", messageId: "a-1" });
    agentTurn(story);
    expect(reminders(story)).toHaveLength(1);
  });

  it("when the session is restored, before it has done anything", () => {
    const story = begin();
    dirtyTurn(story, "t1");
    dirtyTurn(story, "t1");
    ask(story, { type: "session.stop", sessionId: "demo-fix-it", reason: "asked for" });
    ask(story, { type: "session.restore", sessionId: "demo-fix-it" });
    advance(story, MINUTE);
    expect(reminders(story)).toHaveLength(1);
    expect(deriveStatus(sessionOf(story), { paused: false })).toMatchObject({
      status: "idle",
      evidence: expect.stringContaining("2 files not committed"),
    });
  });

  it("if the last log entry has no information about files", () => {
    const story = begin();
    agentTurn(story);
    submit(story, {
      type: "branch.moved",
      sessionId: "demo-fix-it",
      facts: { head: "c1", baseHead: "base0", ahead: 1 },
    });
    expect(sessionOf(story).branchSeen).toMatchObject({ isForgotten: false, uncommitted: null });
  });
});
