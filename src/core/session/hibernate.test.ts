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
import { DEFAULT_REACTIONS } from "../../config/default-reactions.ts";
import { aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import { aPolicy } from "../../testing/change-builders.ts";
import { needsOfSession } from "../need/session-needs.ts";
import { holdsSlot } from "../slot.ts";
import { hibernationDue } from "./hibernate.ts";
import type { SessionState } from "./state.ts";
import { deriveStatus } from "./status.ts";

const AFTER = 10 * MINUTE;
const ID = "demo-fix-it";

/** An agent that can resume its conversation has just ended its first turn. */
function begin(hibernateAfterMs: number | null = AFTER): Story {
  const story = beginStory(aPolicy({ hibernateAfterMs }));
  signal(story, { kind: "conversation", id: "c-1", resumes: true });
  agentTurn(story);
  return story;
}

type Signal = Parameters<typeof submit>[1] & { readonly type: "run.signals" };

function signal(story: Story, ...signals: Signal["signals"]): void {
  submit(story, { type: "run.signals", sessionId: ID, run: sessionOf(story).run.n, signals });
}

function message(id: string): Parameters<typeof ask>[1] {
  return { type: "session.send", sessionId: ID, messageId: id, text: { inline: `text of ${id}` }, bytes: 5 };
}

function shown(story: Story): readonly [string, string] {
  const { status, evidence } = deriveStatus(sessionOf(story), { paused: false });
  return [status, evidence];
}

/** The intent to end the run exists and has not started. */
function untilWanted(story: Story): string {
  story.now += AFTER;
  submit(story, { type: "timer" });
  const intent = [...story.open.values()].find(({ spec }) => spec.kind === "end-run");
  expect(intent?.status).toBe("pending");
  return intent?.id ?? "";
}

/** The run is being ended, and has not ended yet. */
function untilEnding(story: Story): void {
  story.held.add("end-run");
  untilWanted(story);
  perform(story);
  expect(sessionOf(story).run).toMatchObject({ state: "alive", hibernation: "ending" });
}

function finish(story: Story): void {
  story.held.delete("end-run");
  perform(story);
}

const ASLEEP = ["idle", "hibernated; a message wakes it"];

describe("an idle agent", () => {
  it("hibernates when its time has come, not before, and needs nobody", () => {
    const story = begin();
    advance(story, AFTER - 1);
    expect(sessionOf(story).run.state).toBe("alive");
    advance(story, 1);
    expect(sessionOf(story).run).toMatchObject({ state: "ended", n: 1, failures: 0, quickEnds: 0 });
    expect(shown(story)).toEqual(ASLEEP);
    advance(story, 24 * 60 * MINUTE);
    expect(sessionOf(story).run).toMatchObject({ state: "ended", n: 1 });
    expect(needsOfSession(sessionOf(story), { paused: false })).toEqual([]);
    expect(eventsOf(story, "problem.seen")).toEqual([]);
    expect(eventsOf(story, "run.ended")).toMatchObject([{ evidence: "hibernated" }]);
    expect(holdsSlot(sessionOf(story))).toBe(false);
  });

  it("is woken by a message, gets it once, and hibernates again later", () => {
    const story = begin();
    advance(story, AFTER);
    submit(story, message("m-2"));
    expect(shown(story)).toEqual(["starting", "waking the agent"]);
    expect(holdsSlot(sessionOf(story))).toBe(true);
    perform(story);
    expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 2 });
    expect(sessionOf(story).run).not.toHaveProperty("hibernation");
    agentTurn(story);
    expect(toldOf(story)).toEqual(["text of m-2"]);
    advance(story, AFTER - 1);
    expect(sessionOf(story).run.state).toBe("alive");
    advance(story, 1);
    expect(shown(story)).toEqual(ASLEEP);
  });

  it("does not hibernate with `never`, and does at once if the setting changes to a time that has passed", () => {
    const story = begin(null);
    advance(story, 24 * 60 * MINUTE);
    expect(sessionOf(story).run.state).toBe("alive");
    ask(story, { type: "project.policy", id: "demo", policy: aPolicy({ hibernateAfterMs: AFTER }) });
    expect(shown(story)).toEqual(ASLEEP);
  });

  it("restarts its idle time after the daemon was down", () => {
    const story = begin();
    restart(story, 60 * MINUTE);
    advance(story, AFTER - 1);
    expect(sessionOf(story).run.state).toBe("alive");
    advance(story, 1);
    expect(shown(story)).toEqual(ASLEEP);
  });

  it("stays while everything is paused, and hibernates after that", () => {
    const story = begin();
    ask(story, { type: "fleet.pause", projectId: null });
    advance(story, 2 * AFTER);
    expect(sessionOf(story).run.state).toBe("alive");
    ask(story, { type: "fleet.resume", projectId: null });
    expect(shown(story)).toEqual(ASLEEP);
  });

  it("is reminded that it is idle after the same time, hibernated or not", () => {
    const idleMessages = (hibernateAfterMs: number | null): readonly number[] => {
      const story = beginStory(aPolicy({ reactions: DEFAULT_REACTIONS, hibernateAfterMs }));
      const begun = story.now;
      signal(story, { kind: "conversation", id: "c-1", resumes: true });
      agentTurn(story);
      for (let minute = 0; minute < 60; minute += 1) {
        advance(story, MINUTE);
        if (sessionOf(story).messages.some(({ status }) => status === "written")) agentTurn(story);
      }
      return story.log.flatMap(({ event, at }) => (event.type === "problem.seen" ? [at - begun] : []));
    };
    expect(idleMessages(null)).toContain(5 * MINUTE);
    expect(idleMessages(AFTER)).toEqual(idleMessages(null));
    expect(idleMessages(MINUTE)).toEqual(idleMessages(null));
  });
});

describe("a message around the hibernation", () => {
  it("before the end has started withdraws it, and goes to the current run", () => {
    const story = begin();
    const id = untilWanted(story);
    // Decided in one commit with the start of the effect: the message comes first.
    submit(story, message("m-2"), { type: "intent.starting", id });
    expect(story.open.has(id)).toBe(false);
    perform(story);
    agentTurn(story);
    expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 1 });
    expect(toldOf(story)).toEqual(["text of m-2"]);
    expect(eventsOf(story, "run.hibernating")).toEqual([]);
    advance(story, AFTER);
    expect(shown(story)).toEqual(ASLEEP);
  });

  it.each([
    ["and the outcome is reported", (story: Story) => finish(story)],
    [
      "and the exit is seen first",
      (story: Story) => {
        submit(story, { type: "run.exited", sessionId: ID, run: 1, code: 143, evidence: "exit code 143" });
        finish(story);
      },
    ],
    [
      "and the daemon dies in between",
      (story: Story) => {
        restart(story, MINUTE);
        finish(story);
      },
    ],
  ])("while the run is being ended waits for the next one, which gets it once, %s", (_, end) => {
    const story = begin();
    untilEnding(story);
    ask(story, message("m-2"));
    expect(toldOf(story)).toEqual([]);
    end(story);
    agentTurn(story);
    expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 2, failures: 0, quickEnds: 0 });
    expect(toldOf(story)).toEqual(["text of m-2"]);
    expect(sessionOf(story).messages.map(({ status }) => status)).toEqual(["accepted", "accepted"]);
    expect(eventsOf(story, "run.started")).toHaveLength(2);
  });

  it("wakes the agent even if a daemon died after the run had ended", () => {
    const story = begin();
    advance(story, AFTER);
    restart(story, MINUTE);
    expect(shown(story)).toEqual(ASLEEP);
    ask(story, message("m-2"));
    expect(toldOf(story)).toEqual(["text of m-2"]);
  });

  it("goes to the run that could not be ended, whose death is then a death", () => {
    const story = begin();
    untilEnding(story);
    ask(story, message("m-2"));
    for (const attempt of [1, 2, 3]) {
      const outcome = { kind: "failed", code: "internal", message: "it stays", hint: null } as const;
      submit(story, { type: "intent.outcome", id: `session:${ID}/end-run/1/${attempt}`, outcome });
      perform(story);
    }
    expect(toldOf(story)).toEqual(["text of m-2"]);
    agentTurn(story);
    advance(story, 2 * AFTER);
    submit(story, { type: "run.exited", sessionId: ID, run: 1, code: 1, evidence: "exit code 1" });
    perform(story);
    expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 2 });
  });
});

describe("while the run of an idle agent is ended", () => {
  it("an agent that starts working again is restarted", () => {
    const story = begin();
    untilEnding(story);
    signal(story, { kind: "status", state: "working", note: null });
    finish(story);
    expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 2, failures: 0 });
  });

  it("a stop takes the session down, even if the run could not be ended for its hibernation", () => {
    const story = begin();
    untilEnding(story);
    for (const attempt of [1, 2, 3]) {
      const outcome = { kind: "failed", code: "internal", message: "it stays", hint: null } as const;
      submit(story, { type: "intent.outcome", id: `session:${ID}/end-run/1/${attempt}`, outcome });
      perform(story);
    }
    story.held.delete("end-run");
    ask(story, { type: "session.stop", sessionId: ID, reason: "asked for" });
    expect(sessionOf(story).phase).toBe("stopped");
  });

  it("a move starts it at the new place", () => {
    const story = begin();
    untilEnding(story);
    ask(story, { type: "session.move", sessionId: ID, runtime: { plugin: "tmux", config: {} } });
    finish(story);
    expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 2, runtime: { plugin: "tmux" } });
    advance(story, 2 * AFTER);
    expect(sessionOf(story).run.state).toBe("alive");
  });
});

it.each<[string, (story: Story) => void, string]>([
  ["a stop and a restore", (story) => stopAndRestore(story), "process"],
  ["a restore", (story) => ask(story, { type: "session.restore", sessionId: ID }), "process"],
  ["a move", (story) => ask(story, { type: "session.move", sessionId: ID, runtime: TMUX }), "tmux"],
])("%s starts a hibernated agent", (_, act, plugin) => {
  const story = begin();
  advance(story, AFTER);
  act(story);
  expect(sessionOf(story).run).toMatchObject({ state: "alive", n: 2, runtime: { plugin } });
});

const TMUX = { plugin: "tmux", config: {} };

function stopAndRestore(story: Story): void {
  ask(story, { type: "session.stop", sessionId: ID, reason: "asked for" });
  ask(story, { type: "session.restore", sessionId: ID });
}

it("only the idle one of two sessions is hibernated", () => {
  const story = begin();
  beginSession(story, { title: "Other thing" });
  advance(story, 2 * AFTER);
  expect(sessionOf(story, "demo-other-thing").run.state).toBe("alive");
  expect(shown(story)).toEqual(ASLEEP);
});

describe("an agent hibernates only if it is idle, alone and able to resume", () => {
  const idle = aSession({ resumes: true, activity: { state: "idle", at: 5000 } });
  const due = (session: SessionState): number | null => hibernationDue(session, { afterMs: 100, watchedSince: 7000 });

  it("after the last of: it went idle, the daemon was watching, it got a message", () => {
    expect(due(idle)).toBe(7100);
    expect(due({ ...idle, activity: { ...idle.activity, at: 8000 } })).toBe(8100);
    expect(due({ ...idle, messages: [aMessage({ status: "accepted", at: 9000 })] })).toBe(9100);
    expect(hibernationDue(idle, { afterMs: null, watchedSince: 0 })).toBeNull();
  });

  it.each<[string, Partial<SessionState>]>([
    ["it cannot resume", { resumes: false }],
    ["it runs in a terminal", { runtime: TMUX, run: { ...idle.run, runtime: TMUX } }],
    ["it has moved away", { runtime: TMUX, run: { ...idle.run, runtime: idle.runtime } }],
    ["it takes one message per process", { input: "file" }],
    ["it is typed to", { input: "terminal" }],
    ["it works", { activity: { ...idle.activity, state: "working" } }],
    ["it waits for a person", { activity: { ...idle.activity, state: "waiting" } }],
    ["it is rate limited", { activity: { ...idle.activity, state: "limited" } }],
    ["its turn failed", { activity: { ...idle.activity, state: "errored" } }],
    ["its turn is open", { turn: { messageId: "m-1", text: { inline: "x" }, at: 1 } }],
    ["its question is open", { question: aQuestion() }],
    ["a message is queued", { messages: [aMessage()] }],
    ["a message is being sent", { messages: [aMessage({ status: "started", run: 1 })] }],
    ["a message is not confirmed", { messages: [aMessage({ status: "written", run: 1 })] }],
    ["its folder is gone", { workspace: { ...idle.workspace, state: "missing" } }],
    ["it is starting", { run: { ...idle.run, state: "starting" } }],
    ["it is gone", { run: { ...idle.run, state: "ended" } }],
  ])("not when %s", (_, facts) => expect(due({ ...idle, ...facts })).toBeNull());
});
