import { expect, it } from "vitest";
import type { AnyEvent } from "../event.ts";
import { compareSteps } from "./compare-steps.ts";
import type { LoggedEvent } from "./step.ts";

const CHECK = { problem: "ci-failed:unit", occurrence: "head1.f1", head: "head1" };
const sent = (attempt: number): AnyEvent => ({
  type: "reaction.sent",
  ...CHECK,
  attempt,
  messageId: `m-${attempt}`,
  turns: 1,
});
const told = (facts: { readonly messages: number; readonly reminder?: boolean }): AnyEvent => ({
  type: "problem.escalated",
  id: "ci-failed:unit",
  priority: "action",
  reason: "",
  reminder: false,
  ...facts,
});
const rerun: AnyEvent = { type: "reaction.taken", ...CHECK, attempt: 1, action: "rerun-ci", detail: "" };
const held: AnyEvent = { type: "merge.held", reason: "quiet hours", files: [], notBefore: 9, isPlanned: true };
const noted: AnyEvent = {
  type: "problem.seen",
  id: "ci-failed:unit",
  key: "ci-failed",
  occurrence: "head1.f1",
  text: "",
};

const CASES: readonly (readonly [string, readonly AnyEvent[], readonly AnyEvent[], readonly string[]])[] = [
  ["the same steps", [sent(1), told({ messages: 1 })], [sent(1), told({ messages: 1 })], []],
  ["a third message", [sent(1), sent(2)], [sent(1), sent(2), sent(3)], ["1 more-messages"]],
  ["no message at all", [sent(1), sent(2)], [], ["2 fewer-messages"]],
  [
    "a message instead of an escalation",
    [sent(1), told({ messages: 1 })],
    [sent(1), sent(2)],
    ["1 more-messages", "1 fewer-escalations"],
  ],
  ["an escalation after one more message", [told({ messages: 1 })], [told({ messages: 2 })], []],
  [
    "a notification instead of a message",
    [sent(1)],
    [told({ messages: 0 })],
    ["1 fewer-messages", "1 more-notifications"],
  ],
  [
    "one reminder less",
    [told({ messages: 1 }), told({ messages: 1, reminder: true })],
    [told({ messages: 1 })],
    ["1 fewer-notifications"],
  ],
  ["a re-run", [], [rerun], ["1 more-actions"]],
  ["a merge that waits for the morning", [], [held], ["1 more-holds"]],
  ["a problem that nobody acts on", [], [noted], []],
];

it.each(CASES)("%s", (_name, before, after, rows) => {
  const log = (events: readonly AnyEvent[]): readonly LoggedEvent[] =>
    events.map((event, at) => ({ stream: "change:demo/1", event, at }));
  expect(compareSteps(log(before), log(after)).map(({ kind, count }) => `${count} ${kind}`)).toEqual(rows);
});

it("the same problem of two pull requests is two problems", () => {
  const before: readonly LoggedEvent[] = [{ stream: "change:demo/1", event: sent(1), at: 1 }];
  const after: readonly LoggedEvent[] = [{ stream: "change:demo/2", event: sent(1), at: 1 }];
  expect(compareSteps(before, after)).toMatchObject([
    { kind: "fewer-messages", count: 1, examples: [{ stream: "change:demo/1" }] },
    { kind: "more-messages", count: 1, examples: [{ stream: "change:demo/2" }] },
  ]);
});
