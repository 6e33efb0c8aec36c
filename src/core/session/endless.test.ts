import { describe, expect, it } from "vitest";
import { afterEvents, aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import { needsOfSession } from "../need/session-needs.ts";
import { decideAnswer, decideStop } from "./decide-command.ts";
import { decideOutcome } from "./decide-intent.ts";
import type { SessionEvent } from "./events.ts";
import { reactSession } from "./react.ts";
import { deriveStatus } from "./status.ts";

const running = { paused: false };

function oneLife(run: number): readonly SessionEvent[] {
  return [
    { type: "run.starting", run, messageId: null },
    { type: "run.started", run, pid: 7 },
    { type: "agent.finished", summary: "done" },
    { type: "branch.seen", turn: run, head: "c0ffee", ahead: 0 },
    { type: "run.ended", run, code: 1, evidence: "exit code 1" },
  ];
}

describe("what could repeat forever", () => {
  it("an agent that reports done and fails at once is restarted more and more slowly", () => {
    const ready = aSession({ phase: "open", workspace: { state: "ready", path: "/w" }, run: { state: "none", n: 0 } });
    const few = afterEvents(ready, [1, 2, 3].flatMap(oneLife));
    expect(reactSession(few, running, 2000).intents).toHaveLength(1);
    const many = afterEvents(ready, [1, 2, 3, 4, 5, 6, 7, 8].flatMap(oneLife));
    const reaction = reactSession(many, running, 2000);
    expect(reaction.intents).toEqual([]);
    expect(reaction.wakeAt).toBe(2000 + 16_000);
  });

  it("a typed message does not count as on its way, so that old ones are dropped", () => {
    const messages = Array.from({ length: 300 }, (_, index) => aMessage({ id: `m-${index}`, status: "written" }));
    const session = aSession({ input: "terminal", messages });
    const queued: SessionEvent = {
      type: "message.queued",
      id: "new",
      kind: "message",
      replyTo: null,
      text: { inline: "x" },
      bytes: 1,
    };
    expect(afterEvents(session, [queued]).messages.length).toBeLessThanOrEqual(51);
  });

  it("an agent that cannot be ended keeps its folder, is tried three times, and then escalated", () => {
    const stopping = aSession({
      phase: "stopping",
      workspace: { state: "ready", path: "/w" },
      run: { state: "alive" },
    });
    const failure = { kind: "failed", code: "plugin-failed", message: "cannot be ended", hint: null } as const;
    const events = decideOutcome(stopping, { kind: "end-run", sessionId: stopping.id, run: 1 }, failure, 0);
    expect(events).toEqual([{ type: "run.end-failed", run: 1, reason: "cannot be ended" }]);
    const [first] = reactSession(stopping, running, 0).intents;
    const [second] = reactSession(afterEvents(stopping, events), running, 0).intents;
    expect(second?.spec).toEqual(first?.spec);
    expect(second?.id).not.toBe(first?.id);
    const stuck = afterEvents(stopping, [...events, ...events, ...events]);
    expect(reactSession(stuck, running, 0).intents).toEqual([]);
    expect(needsOfSession(stuck, running).map(({ kind }) => kind)).toEqual(["agent-stays"]);
    const again = decideStop(stuck, { type: "session.stop", sessionId: stuck.id, reason: "again" });
    expect(again).toMatchObject({ kind: "accepted", events: [{ event: { type: "session.stop-requested" } }] });
    const retried = afterEvents(stuck, [{ type: "session.stop-requested", reason: "again" }]);
    expect(reactSession(retried, running, 0).intents).toHaveLength(1);
  });
});

describe("a question", () => {
  const asking = aSession({
    phase: "open",
    workspace: { state: "ready", path: "/w" },
    run: { state: "alive" },
    question: aQuestion(),
  });

  it("is closed when the agent reports done", () => {
    expect(afterEvents(asking, [{ type: "agent.finished", summary: "" }]).question).toBeNull();
  });

  it("can no longer be answered while the session stops", () => {
    const command = { type: "session.answer", sessionId: asking.id, choice: "yes", messageId: "m" } as const;
    expect(decideAnswer({ ...asking, phase: "stopping" }, command)).toMatchObject({ kind: "rejected" });
  });
});

describe("a paused session", () => {
  it("shows that if its agent is not running yet", () => {
    const ready = aSession({ phase: "open", workspace: { state: "ready", path: "/w" }, run: { state: "none", n: 0 } });
    expect(deriveStatus(ready, { paused: true }).status).toBe("paused");
  });
});

describe("saved work", () => {
  it("is no longer mentioned once it was restored", () => {
    const stopped = aSession({
      phase: "open",
      workspace: { state: "creating", preservedRef: "refs/ao/preserved/s/1" },
    });
    const created = (restoredFrom: string | null): SessionEvent => ({
      type: "workspace.created",
      generation: stopped.workspace.generation,
      path: "/w",
      branch: "b",
      head: "h",
      baseCommit: "c",
      restoredFrom,
      notes: [],
    });
    expect(afterEvents(stopped, [created("refs/ao/preserved/s/1")]).workspace.preservedRef).toBeNull();
    expect(afterEvents(stopped, [created(null)]).workspace.preservedRef).toBe("refs/ao/preserved/s/1");
  });
});
