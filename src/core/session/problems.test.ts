import { describe, expect, it } from "vitest";
import {
  advance,
  agentTurn,
  ask,
  beginSession,
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
import { aPolicy, aRule } from "../../testing/change-builders.ts";
import type { StoredSignal } from "../agent-signal.ts";
import type { ReactionRule } from "../policy.ts";
import { deriveStatus, type SessionStatus } from "./status.ts";

const notify = { action: "notify", retries: 0 } as const;

function withRules(rules: Readonly<Record<string, Partial<ReactionRule>>>): Story {
  const reactions = Object.fromEntries(Object.entries(rules).map(([key, facts]) => [key, aRule(facts)]));
  return beginStory(aPolicy({ reactions }));
}

function say(story: Story, ...signals: readonly StoredSignal[]): void {
  submit(story, { type: "run.signals", sessionId: "demo-fix-it", run: sessionOf(story).run.n, signals });
  perform(story);
}

function seen(story: Story): readonly string[] {
  return Object.keys(sessionOf(story).problems);
}

function shown(story: Story): SessionStatus {
  return deriveStatus(sessionOf(story), { paused: false });
}

function escalated(story: Story): readonly string[] {
  return eventsOf(story, "problem.escalated").map(({ id }) => id);
}

describe("a silent agent", () => {
  const stuck = { "agent-stuck": { ...notify, thresholdMs: 10 * MINUTE } };

  it("is stuck after the threshold, and a person is notified once", () => {
    const story = withRules(stuck);
    advance(story, 10 * MINUTE - 1);
    expect(seen(story)).toEqual([]);
    advance(story, 50 * MINUTE);
    expect(escalated(story)).toEqual(["agent-stuck"]);
  });

  it("is not stuck once it prints something", () => {
    const story = withRules(stuck);
    advance(story, 9 * MINUTE);
    submit(story, { type: "run.output-seen", sessionId: "demo-fix-it", run: 1 });
    advance(story, 9 * MINUTE);
    expect(seen(story)).toEqual([]);
    advance(story, 2 * MINUTE);
    expect(seen(story)).toEqual(["agent-stuck"]);
    expect(shown(story)).toMatchObject({ status: "no-signal", evidence: expect.stringContaining("no output since") });
    submit(story, { type: "run.output-seen", sessionId: "demo-fix-it", run: 1 });
    expect(seen(story)).toEqual([]);
    expect(shown(story)).toMatchObject({ status: "working" });
  });

  it("is idle and not stuck after a restore with nothing to do, and works again with the next message", () => {
    const story = withRules(stuck);
    agentTurn(story);
    ask(story, { type: "session.stop", sessionId: "demo-fix-it", reason: "asked for" });
    ask(story, { type: "session.restore", sessionId: "demo-fix-it" });
    expect(shown(story)).toMatchObject({ status: "idle" });
    advance(story, 30 * MINUTE);
    expect(seen(story)).toEqual([]);
    const text = { inline: "go on" };
    ask(story, { type: "session.send", sessionId: "demo-fix-it", messageId: "m-2", text, bytes: 5 });
    say(story, { kind: "received", id: "m-2" });
    expect(shown(story)).toMatchObject({ status: "working" });
  });

  it("is not stuck because the daemon was down: only watched time counts", () => {
    const story = withRules(stuck);
    advance(story, 9 * MINUTE);
    restart(story, 60 * MINUTE);
    expect(seen(story)).toEqual([]);
    advance(story, 9 * MINUTE);
    expect(seen(story)).toEqual([]);
    advance(story, MINUTE);
    expect(seen(story)).toEqual(["agent-stuck"]);
  });

  it("is not stuck because the machine slept", () => {
    const story = withRules(stuck);
    story.now += 60 * MINUTE;
    submit(story, { type: "daemon.woke", sleptMs: 60 * MINUTE });
    expect(seen(story)).toEqual([]);
    advance(story, 10 * MINUTE);
    expect(seen(story)).toEqual(["agent-stuck"]);
  });

  it("stays stuck across a daemon restart, without a second notification", () => {
    const story = withRules(stuck);
    advance(story, 11 * MINUTE);
    restart(story, MINUTE);
    expect(seen(story)).toEqual(["agent-stuck"]);
    advance(story, 11 * MINUTE);
    expect(escalated(story)).toEqual(["agent-stuck"]);
  });

  it("stays stuck across a pause, without a second notification", () => {
    const story = withRules(stuck);
    advance(story, 11 * MINUTE);
    ask(story, { type: "fleet.pause", projectId: null });
    ask(story, { type: "fleet.resume", projectId: null });
    expect(escalated(story)).toEqual(["agent-stuck"]);
  });

  it.each([true, false])("is asked as often as its retries allow, then escalated (confirms: %s)", (confirms) => {
    const story = withRules({ "agent-stuck": { retries: 2, thresholdMs: 10 * MINUTE } });
    for (let time = 0; time < 5; time += 1) {
      advance(story, 11 * MINUTE);
      const written = sessionOf(story).messages.filter(({ status }) => status === "written");
      if (confirms) say(story, ...written.map(({ id }) => ({ kind: "received", id }) as const));
    }
    expect(toldOf(story)).toHaveLength(2);
    expect(escalated(story)).toEqual(["agent-stuck"]);
  });
});

describe("an agent that is idle without a pull request", () => {
  const idle = { "agent-idle": { ...notify, thresholdMs: 5 * MINUTE } };

  it("is a problem after the threshold", () => {
    const story = withRules(idle);
    agentTurn(story);
    advance(story, 5 * MINUTE - 1);
    expect(seen(story)).toEqual([]);
    advance(story, 1);
    expect(seen(story)).toEqual(["agent-idle"]);
  });

  it("is none while its pull request is open, nor after it was merged or closed", () => {
    const story = withRules(idle);
    agentTurn(story, "head1");
    advance(story, 60 * MINUTE);
    expect(seen(story)).toEqual([]);
    ask(story, { type: "change.close", key: "demo/1", by: "ann", reason: "not wanted" });
    advance(story, 60 * MINUTE);
    expect(seen(story)).toEqual([]);
  });

  it("is messaged as often as its retries allow, then escalated", () => {
    const story = withRules({ "agent-idle": { retries: 2, thresholdMs: 5 * MINUTE } });
    agentTurn(story);
    for (let time = 0; time < 5; time += 1) {
      advance(story, 6 * MINUTE);
      agentTurn(story);
    }
    expect(toldOf(story)).toHaveLength(2);
    expect(toldOf(story)[0]).toContain("You have been idle for 5 minutes");
    expect(escalated(story)).toEqual(["agent-idle"]);
    expect(eventsOf(story, "reaction.withdrawn")).toEqual([]);
  });

  it("is dropped when a pull request comes of it", () => {
    const story = withRules({ "agent-idle": { retries: 2, thresholdMs: 5 * MINUTE } });
    agentTurn(story);
    advance(story, 6 * MINUTE);
    agentTurn(story, "head1");
    expect(seen(story)).toEqual([]);
  });

  it("is none for an orchestrator, which waits for others", () => {
    const story = withRules(idle);
    beginSession(story, { title: "Lead", role: "orchestrator" });
    agentTurn(story, null, "demo-lead");
    advance(story, 60 * MINUTE);
    expect(sessionOf(story, "demo-lead").problems).toEqual({});
  });
});

describe("an agent that needs a person", () => {
  it("is escalated at once, once per question", () => {
    const story = withRules({});
    say(story, { kind: "asked", id: "q-1", question: "Deploy?", choices: ["yes", "no"] });
    advance(story, 60 * MINUTE);
    expect(eventsOf(story, "notice.raised")).toMatchObject([
      {
        ...{ key: "agent-needs-input", priority: "urgent", title: "demo-fix-it: asks: Deploy?" },
        act: "ao answer demo-fix-it",
      },
    ]);
    ask(story, { type: "session.answer", sessionId: "demo-fix-it", choice: "yes", messageId: "a-1" });
    expect(seen(story)).toEqual([]);
    say(story, { kind: "asked", id: "q-2", question: "Sure?", choices: ["yes", "no"] });
    expect(escalated(story)).toEqual(["agent-needs-input", "agent-needs-input"]);
  });

  it("shows where the lines of a command end, and that more follows", () => {
    const story = withRules({});
    const detail = { format: "command", text: { inline: `echo tidy up\nrm -f license\n${"x".repeat(300)}` } } as const;
    say(story, { kind: "asked", id: "q-1", about: "permission", question: "It wants to run:", choices: [], detail });
    const [notice] = eventsOf(story, "notice.raised");
    expect(notice?.title).toMatch(/^demo-fix-it: It wants to run: echo tidy up ⏎ rm -f license ⏎ x+…$/);
  });

  it("even if it only reports waiting", () => {
    const story = withRules({});
    say(story, { kind: "status", state: "waiting", note: "for a key" });
    expect(escalated(story)).toEqual(["agent-needs-input"]);
    say(story, { kind: "status", state: "working", note: null });
    expect(seen(story)).toEqual([]);
  });

  it("because it ended again and again", () => {
    const story = withRules({});
    for (let run = 1; run <= 6; run += 1) {
      submit(story, { type: "run.exited", sessionId: "demo-fix-it", run, code: 1, evidence: "exit code 1" });
      perform(story);
      advance(story, 20_000);
    }
    expect(escalated(story)).toEqual(["agent-exited"]);
    ask(story, { type: "session.restore", sessionId: "demo-fix-it" });
    expect(seen(story)).toEqual([]);
  });
});

it("a session's problems are gone when it is stopped", () => {
  const story = withRules({ "agent-idle": { retries: 2, thresholdMs: 5 * MINUTE } });
  agentTurn(story);
  advance(story, 6 * MINUTE);
  ask(story, { type: "session.stop", sessionId: "demo-fix-it", reason: "asked for" });
  expect(seen(story)).toEqual([]);
});
