import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aProject, aSession, aWorld } from "../../testing/builders.ts";
import { aChange, aPolicy } from "../../testing/change-builders.ts";
import { isFull } from "../../testing/full.ts";
import type { ChangeEvent } from "./events.ts";
import { evolveChange } from "./evolve.ts";
import { reactChange } from "./react.ts";
import { settleChanges } from "./settle.ts";
import type { ChangeState } from "./state.ts";
import { deriveChangeStatus } from "./status.ts";

const numRuns = isFull ? 5000 : 150;

const head = fc.constantFrom("head1", "head2", "head3");
const baseHead = fc.constantFrom("b1", "b2");
const word = fc.constant("because");
const by = fc.constantFrom("ann", "bob", "ao");
const id = fc.constantFrom("v1", "v2", "v3");
const threadId = fc.constantFrom("v1.1", "v2.1");
const problem = fc.constantFrom("ci-failed:unit", "merge-conflict", "changes-requested:v1");
const name = fc.constantFrom("unit", "lint");
const attempt = fc.integer({ min: 1, max: 3 });
const text = fc.constant({ inline: "words" });
const at = fc.integer({ min: 0, max: 200_000 });

function event<T extends ChangeEvent["type"]>(
  type: T,
  fields: { readonly [K in keyof Omit<Extract<ChangeEvent, { type: T }>, "type">]: fc.Arbitrary<unknown> },
): fc.Arbitrary<ChangeEvent> {
  return fc.record({ type: fc.constant(type), ...fields } as never) as unknown as fc.Arbitrary<ChangeEvent>;
}

const anyEvent: fc.Arbitrary<ChangeEvent> = fc.oneof(
  event("change.updated", { head }),
  event("change.stacked", { on: fc.record({ sessionId: word, branch: word, number: attempt, head }) }),
  event("change.retargeted", {
    base: word,
    by,
    landed: fc.record({ sessionId: word, branch: word, number: attempt, head }),
  }),
  event("change.closed", { by, reason: word }),
  event("check.started", { name, head, attempt }),
  event("check.finished", {
    name,
    head,
    attempt,
    state: fc.constantFrom("passed", "failed", "timed-out", "setup-failed", "cancelled", "unknown"),
    code: fc.constantFrom(0, 1, null),
    log: fc.constantFrom(null, { inline: "log" }),
    fingerprint: word,
    tookMs: fc.constantFrom(null, 5),
  }),
  event("check.rerun-requested", { name, attempt, by }),
  event("change.tried", {
    kind: fc.constantFrom("clean", "conflict", "unknown"),
    head,
    baseHead,
    files: fc.constantFrom([], ["a.ts"]),
    reason: fc.constantFrom(null, "because"),
  }),
  event("review.given", {
    id,
    author: by,
    verdict: fc.constantFrom("approve", "request-changes", "comment"),
    body: fc.constantFrom(null, { inline: "words" }),
    head,
    threads: fc.constantFrom(
      [],
      [{ id: "v1.1", commentId: "v1.1.1", path: "a.ts", line: 1, text: { inline: "here" } }],
    ),
  }),
  event("review.requested", { id, reviewer: by, head, replies: fc.nat(5) }),
  event("thread.replied", { threadId, commentId: id, author: by, byAgent: fc.boolean(), text }),
  event("thread.resolved", { threadId, by }),
  event("thread.reopened", { threadId, by }),
  event("label.added", { label: word, by }),
  event("label.removed", { label: word, by }),
  event("merge.requested", {
    by,
    strategy: fc.constantFrom("squash", "merge", "rebase"),
    deleteAfter: fc.boolean(),
    head,
  }),
  event("merge.held", { reason: word, files: fc.constant(["a.ts"]), notBefore: at }),
  event("merge.queued", { name: word, position: fc.constantFrom(null, 1, 2), removal: fc.constantFrom(null, "r1") }),
  event("merge.dequeued", { name: word, reason: word, isFailure: fc.boolean() }),
  event("merge.refused", { reason: word }),
  event("merge.refused", { reason: word, head }),
  event("merge.cancelled", { by }),
  event("change.merged", { commit: word, baseBefore: baseHead, head }),
  event("branch.settled", { deleted: fc.boolean(), reason: word }),
  event("issue.held", { reason: word, notBefore: at }),
  event("issue.settled", { closed: fc.boolean(), reason: word }),
  event("problem.seen", { id: problem, key: fc.constant("ci-failed"), occurrence: head, text: word }),
  event("reaction.sent", { problem, occurrence: head, attempt, messageId: id, head, turns: fc.nat(3) }),
  event("reaction.withdrawn", { problem, messageId: id, reason: word }),
  event("problem.escalated", {
    id: problem,
    priority: fc.constant("action"),
    reason: word,
    messages: fc.nat(3),
    reminder: fc.boolean(),
  }),
  event("problem.acknowledged", { id: problem, by }),
  event("problem.gone", { id: problem, reason: word }),
  event("intent.started", { id }),
);
const history = fc.array(fc.tuple(anyEvent, at), { maxLength: 40 });

function holds(check: (before: ChangeState, event: ChangeEvent, after: ChangeState) => void): void {
  const property = fc.property(history, (events) => {
    let state = aChange();
    for (const [one, time] of events) {
      const after = evolveChange(state, one, time) as ChangeState;
      check(state, one, after);
      state = after;
    }
  });
  fc.assert(property, { numRuns, seed: 7 });
}

describe("whatever happens to a change", () => {
  it("evolve, settle, react and status return, without changing their input", () => {
    const projects = [aProject({ policy: aPolicy(), baseHead: "b1" })];
    holds((before, one, after) => {
      const copy = structuredClone(before);
      const world = aWorld({ sessions: [aSession()], projects, changes: [after] });
      settleChanges(world, 9000);
      expect(reactChange(world, after, 9000)).toEqual(reactChange(world, after, 9000));
      expect(deriveChangeStatus(world, after).evidence).not.toBe("");
      expect(evolveChange(before, one, 1)).toEqual(evolveChange(before, one, 1));
      expect(before).toEqual(copy);
    });
  });

  it("merged is final, and closed is left only by its own merge", () => {
    holds((before, one, after) => {
      if (before.phase === "merged") expect(after).toMatchObject({ phase: "merged", merged: before.merged });
      if (before.phase === "closed" && one.type !== "change.merged") expect(after.phase).toBe("closed");
    });
  });

  it("checks belong to the current commit, and their attempts never decrease", () => {
    holds((before, _, after) => {
      if (after.phase !== "open") return;
      for (const run of Object.values(after.checks)) {
        expect(run.head).toBe(after.head);
        expect(run.attempt).toBeGreaterThan(after.attempts[after.head] ?? 0);
        if (before.head === after.head) {
          expect(run.attempt).toBeGreaterThanOrEqual(before.checks[run.name]?.attempt ?? 0);
        }
      }
    });
  });

  it("a merge request names its commit, and a new commit voids it", () => {
    holds((before, one, after) => {
      if (one.type === "change.updated" && after.head !== before.head) expect(after.mergeRequest).toBeNull();
      if (after.phase !== "open") expect(after.mergeRequest).toBeNull();
    });
  });

  it("the number of messages for it never decreases", () => {
    holds((before, _, after) => {
      expect(after.reactions).toBeGreaterThanOrEqual(before.reactions);
      for (const one of Object.values(after.problems)) expect(one.sent).toBeGreaterThanOrEqual(0);
    });
  });

  it("nothing is known about one that was never opened", () => {
    fc.assert(
      fc.property(anyEvent, (one) => {
        expect(evolveChange(undefined, one, 1)).toBeUndefined();
      }),
      { numRuns: 50, seed: 7 },
    );
  });
});
