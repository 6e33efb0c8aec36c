import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../event.ts";
import { followNeeds, NO_NEEDS, type ResolvedNeed } from "./resolved.ts";

const seen: AnyEvent = {
  type: "problem.seen",
  id: "ci-failed:unit",
  key: "ci-failed",
  occurrence: "1",
  text: "unit failed",
};
const escalated: AnyEvent = {
  ...{ type: "problem.escalated", id: "ci-failed:unit", priority: "action" },
  ...{ reason: "2 messages did not help", messages: 2, reminder: false },
};
const gone: AnyEvent = { type: "problem.gone", id: "ci-failed:unit", reason: "it passed" };
const asked: AnyEvent = { type: "agent.asked", id: "q", run: 1, question: "Half up?", choices: ["yes", "no"] };

/** What these events resolve, one minute apart. */
function play(...events: readonly AnyEvent[]): readonly ResolvedNeed[] {
  let track = NO_NEEDS;
  return events.flatMap((event, minute) => {
    const step = followNeeds(track, event, minute);
    track = step.track;
    return step.resolved ?? [];
  });
}

describe("a resolved need", () => {
  it("is an escalated problem that is gone", () => {
    const need = { kind: "ci-failed", text: "unit failed", at: 1, resolvedAt: 2, by: null, how: "it passed" };
    expect(play(seen, escalated, gone)).toEqual([need]);
  });

  it("is none that was not escalated, and none that was dismissed", () => {
    expect(play(seen, gone)).toEqual([]);
    expect(play(seen, escalated, { type: "problem.acknowledged", id: "ci-failed:unit", by: "ada" }, gone)).toEqual([]);
  });

  it("names who acted after it was escalated", () => {
    const resolved: AnyEvent = { type: "thread.resolved", threadId: "t", by: "ada" };
    expect(play(seen, escalated, resolved, gone)).toMatchObject([{ by: "ada" }]);
    expect(play(resolved, seen, escalated, gone)).toMatchObject([{ by: null }]);
  });

  it("is a question with its answer, counted once", () => {
    const waits = { id: "agent-needs-input", key: "agent-needs-input" };
    const answer: AnyEvent = { type: "agent.answered", questionId: "q", choice: "yes", messageId: "m" };
    const needs = play(asked, { ...seen, ...waits } as AnyEvent, { ...escalated, id: waits.id } as AnyEvent, answer, {
      ...gone,
      id: waits.id,
    } as AnyEvent);
    expect(needs).toMatchObject([{ kind: "question", text: "Half up?", how: "answered “yes”" }]);
    expect(play(asked, { type: "question.withdrawn", id: "q" })).toMatchObject([{ how: "withdrawn by the agent" }]);
  });

  it("is dropped with a session that stopped", () => {
    expect(play(seen, escalated, { type: "session.stopped" }, gone)).toEqual([]);
  });
});
