import { describe, expect, it } from "vitest";
import { aProblem, aRule } from "../../testing/change-builders.ts";
import { outlookOf, REMIND_MS } from "./plan-reaction.ts";

const MINUTE = 60_000;
const sent = { occurrence: "o", messageId: "m", head: "h", turns: 1, at: 5 * MINUTE };

describe("the remaining steps of a rule for a problem", () => {
  it.each([
    ["a duration", { retries: 2, escalateAfter: { kind: "duration", ms: 30 * MINUTE } }, {}, 2, 30 * MINUTE],
    ["a count below the retries", { retries: 3, escalateAfter: { kind: "count", count: 1 } }, {}, 1, REMIND_MS],
    ["only retries", { retries: 2 }, { last: sent, sent: 1 }, 2, 5 * MINUTE + REMIND_MS],
    ["already escalated", { retries: 2 }, { escalatedAt: 7 }, 2, null],
    ["a person decides", { action: "notify", retries: 2 }, {}, null, null],
    ["the rule is off", { auto: false, retries: 2 }, {}, null, null],
  ] as const)("with %s", (_name, rule, problem, allowed, escalatesAt) => {
    expect(outlookOf(aProblem({ since: 0, ...problem }), aRule(rule))).toEqual({ allowed, escalatesAt });
  });
});
