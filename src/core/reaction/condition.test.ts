import { describe, expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import { aChange, aCheckRun } from "../../testing/change-builders.ts";
import { type ConditionFacts, findConditionFault, findPatternFault, judgeCondition } from "./condition.ts";

const event = { key: "ci-failed", text: "check `unit` failed", subject: "unit", messages: 1 };
const change = aChange({
  number: 7,
  title: "Fix the login",
  labels: ["needs-tests", "ui"],
  checks: { unit: aCheckRun({ state: "failed" }), lint: aCheckRun({ name: "lint" }) },
});
const facts: ConditionFacts = { event, session: aSession({ turns: 3 }), change };

const holds = (expression: string, known: ConditionFacts): boolean => judgeCondition(expression, known).isMet;

describe("a condition", () => {
  it.each([
    ["true", true],
    ["'needs-tests' in pr.labels", true],
    ["pr.number > 6 && pr.title.contains('login')", true],
    ["pr.number > 7", false],
    ["checks.failed == ['unit'] && checks.passed == ['lint']", true],
    ["checks.failed.exists(name, name.startsWith('e2e'))", false],
    ["review.approvals == 0 && !review.changesRequested", true],
    ["session.turns < 5", true],
    ["key == 'ci-failed' && subject == 'unit' && messages == 1", true],
    ["event.subject.matches('^un')", true],
    ["task.title != ''", true],
  ])("%s is %s", (expression, expected) => {
    expect(findConditionFault("ci-failed", expression)).toBeNull();
    expect(holds(expression, facts)).toBe(expected);
  });

  it("knows the label of a label reaction by name", () => {
    const added = { key: "label-added", text: "", subject: "needs-tests", messages: 0 };
    expect(findConditionFault("label-added", "label == 'needs-tests'")).toBeNull();
    expect(holds("label == 'needs-tests'", { event: added, change })).toBe(true);
    expect(holds("label == 'other'", { event: added, change })).toBe(false);
  });

  it.each([
    ["what is not known here", "session.turns > 0", { event, change }],
    ["a label where there is none", "label == 'x'", facts],
    ["something that is not true or false", "pr.number", facts],
    ["what cannot be read", "pr.", facts],
  ])("that asks for %s does not hold", (_name, expression, known) => {
    expect(holds(expression, known)).toBe(false);
  });
});

describe("a condition that ao cannot evaluate", () => {
  it.each([
    [
      "a lookahead",
      "pr.title.matches('^(?!wip)')",
      /`\^\(\?!wip\)`: invalid or unsupported Perl syntax: `\(\?!`; patterns are RE2/,
    ],
    ["a backreference", "true || pr.title.matches(r'(a)\\1')", /invalid escape sequence: `\\1`/],
    ["a pattern that is none", "pr.title.matches('(')", /missing closing \)/],
    ["too many copies", "pr.title.matches('(((a{100}){10}){10}){9}')", /`.*`: invalid repeat count/],
  ])("because of %s is valid, undecided, and says why", (_name, expression, reason) => {
    expect(findConditionFault("ci-failed", expression)).toBeNull();
    expect(findPatternFault(expression)).toMatch(reason);
    const { isMet, undecided } = judgeCondition(expression, facts);
    expect(isMet).toBe(false);
    expect(undecided).toMatch(reason);
  });

  it("because of what it is about is undecided only then", () => {
    const expression = "'x'.matches(pr.title)";
    expect(findPatternFault(expression)).toBeNull();
    expect(judgeCondition(expression, facts)).toEqual({ isMet: false, undecided: null });
    const hostile = { ...facts, change: { ...change, title: "(?=x)" } };
    expect(judgeCondition(expression, hostile).undecided).toMatch(/unsupported Perl syntax/);
  });
});

describe("a condition in the configuration", () => {
  it.each([
    ["ci-failed", "pr.nubmer > 3", /^No such key: nubmer; known here: session\.\{id, .*pr\.\{number, /],
    ["ci-failed", "labels.size() > 1", /^Unknown variable: labels; known here: /],
    ["ci-failed", "pr.number +", /^Unexpected token: EOF; /],
    ["ci-failed", "pr.number", /^must be true or false, but is of type int$/],
    ["ci-failed", "label == 'x'", /^Unknown variable: label; /],
    ["agent-idle", "pr.number > 3", /^Unknown variable: pr; known here: session\./],
    ["approved-and-green", "session.turns > 3", /^Unknown variable: session; known here: pr\./],
    ["all-complete", "pr.number > 3", /^Unknown variable: pr; known here: event\./],
  ])("of %s is rejected if it says %s", (key, expression, fault) => {
    expect(findConditionFault(key, expression)).toMatch(fault);
  });
});
