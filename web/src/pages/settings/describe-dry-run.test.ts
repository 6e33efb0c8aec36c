import { expect, test } from "vitest";
import type { DryRunRowView } from "../../../../src/protocol/views/dry-run.ts";
import { describeDryRunRow, describeEffort, describeRest, describeWindow } from "./describe-dry-run.ts";

const aRow = (facts: Partial<DryRunRowView>): DryRunRowView => ({
  kind: "automatic",
  count: 2,
  reason: null,
  savedMs: 0,
  examples: [],
  ...facts,
});

const HOUR = 3_600_000;

test.each<[Partial<DryRunRowView>, string]>([
  [{ count: 31, savedMs: 4 * HOUR + 600_000 }, "merges would not have waited for you, saving 4 h 10"],
  [{ count: 1, savedMs: 59_000 }, "merge would not have waited for you"],
  [
    { kind: "sooner", reason: "they need 1 approval", savedMs: HOUR },
    "merges would have waited less for you, saving 1 h 00: they need 1 approval",
  ],
  [{ kind: "waits", count: 1, reason: "it needs 1 approval" }, "merge would have waited for you: it needs 1 approval"],
  [{ kind: "waits" }, "merges would have waited for you"],
  [
    { kind: "later", reason: "they need 2 approvals" },
    "merges would have waited longer for you: they need 2 approvals",
  ],
  [
    { kind: "still-waits", reason: "they touch `src/payment/**`" },
    "merges would still wait: they touch `src/payment/**`",
  ],
  [{ kind: "unknown", reason: "their size was not recorded" }, "merges cannot be judged: their size was not recorded"],
  [{ kind: "fewer-escalations", count: 4 }, "fewer escalations"],
  [{ kind: "more-escalations", count: 1 }, "more escalation"],
  [{ kind: "fewer-messages", count: 1 }, "fewer message to agents"],
  [{ kind: "more-notifications" }, "more notifications"],
  [{ kind: "more-actions" }, "more other actions"],
  [{ kind: "more-holds" }, "more merges held for quiet hours"],
])("a row %j is shown as: %s", (row, text) => {
  expect(describeDryRunRow(aRow(row))).toEqual({ text, fate: null });
});

test.each<[Partial<DryRunRowView>, string, string]>([
  [{ kind: "bad", count: 1 }, "bad merge would have gone through", "later reverted"],
  [{ kind: "bad-caught" }, "bad merges would have waited for you", "later reverted"],
  [{ kind: "unfinished", reason: "later closed" }, "merges would have gone through", "later closed"],
])("a row %j names its pull requests: %s", (row, text, fate) => {
  expect(describeDryRunRow(aRow(row))).toEqual({ text, fate });
});

const NOW = Date.parse("2026-07-08T12:00:00Z");

test("the title names the window, and a shorter one by its start", () => {
  expect(describeWindow({ since: "2026-07-01T12:00:00Z" }, NOW)).toBe("Dry run on the last 7 days");
  expect(describeWindow({ since: "2026-07-05T12:00:00Z" }, NOW)).toMatch(/^Dry run since 5 Jul \d\d:00$/);
});

test.each([
  [9412, 312, "9,412 events in 0.3 s"],
  [1, 4, "1 event in 0.1 s"],
  [0, 0, "0 events in 0.1 s"],
])("%i events in %i ms are shown as %s", (events, tookMs, text) => {
  expect(describeEffort({ events, tookMs })).toBe(text);
});

test("examples that are left out are counted", () => {
  const examples = [{ pullRequest: "tern/1", session: null, name: "#1", text: null }];
  expect(describeRest({ count: 5, examples })).toBe(" and 4 more");
  expect(describeRest({ count: 1, examples })).toBe("");
});
