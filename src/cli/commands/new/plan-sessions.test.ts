import { describe, expect, it } from "vitest";
import { planMessages, planSessions, repeat, titleOf } from "./plan-sessions.ts";

describe("which sessions the words mean", () => {
  it.each([
    { words: ["Fix the login"], issues: [], gives: [{ title: "Fix the login" }] },
    { words: ["Fix it"], issues: ["#12"], gives: [{ title: "Fix it", issue: "12" }] },
    { words: [], issues: ["1", "2,3"], gives: [{ issue: "1" }, { issue: "2" }, { issue: "3" }] },
    { words: ["41", "#42", "ENG-7"], issues: [], gives: [{ issue: "41" }, { issue: "42" }, { issue: "ENG-7" }] },
    { words: ["https://github.com/a/b/issues/9"], issues: [], gives: [{ issue: "https://github.com/a/b/issues/9" }] },
    { words: ["42", "#42"], issues: ["42"], gives: [{ issue: "42" }] },
    { words: ["python-3"], issues: [], gives: [{ title: "python-3" }] },
  ])("$words $issues", ({ words, issues, gives }) => {
    expect(planSessions(words, issues)).toEqual(gives);
  });

  it.each([
    { words: ["Fix", "the", "login"], issues: [], message: 'more than a title: "the"' },
    { words: ["Fix it", "42"], issues: [], message: 'more than a title: "42"' },
    { words: ["Fix it"], issues: ["1", "2"], message: "one title for several issues" },
    { words: [" "], issues: [], message: "the title is empty" },
  ])("refuses $words $issues", ({ words, issues, message }) => {
    expect(() => planSessions(words, issues)).toThrow(message);
  });
});

describe("what -m adds", () => {
  it.each([
    { words: ["Fix it"], issues: [], messages: [], gives: [{ title: "Fix it" }] },
    {
      words: ["Fix it"],
      issues: [],
      messages: ["It fails.", "Badly."],
      gives: [{ title: "Fix it", prompt: "Fix it\n\nIt fails.\n\nBadly." }],
    },
    { words: [], issues: [], messages: ["Fix it\nnow", "x"], gives: [{ title: "Fix it", prompt: "Fix it\nnow\n\nx" }] },
    { words: ["7"], issues: ["8"], messages: ["x"], gives: [7, 8].map((n) => ({ issue: String(n), prompt: "x" })) },
  ])("$words $issues $messages", ({ words, issues, messages, gives }) => {
    expect(planMessages(words, issues, messages)).toEqual(gives);
  });

  it("does not create a title from nothing", () => {
    expect(() => planMessages([], [], [" "])).toThrow("the title is empty");
  });
});

describe("the same task several times", () => {
  it("is planned that many times", () => {
    expect(repeat([{ title: "a" }], 3)).toEqual([{ title: "a" }, { title: "a" }, { title: "a" }]);
    expect(repeat([{ issue: "1" }], 1)).toEqual([{ issue: "1" }]);
  });

  it("is rejected for an issue", () => {
    expect(() => repeat([{ issue: "1" }], 2)).toThrow("only one session can own");
  });
});

describe("the title of a prompt", () => {
  it.each([
    ["# Fix the login\n\nIt fails.", "Fix the login"],
    ["\n---\n- first thing", "first thing"],
    ["x".repeat(100), "x".repeat(80)],
    ["\n\n", ""],
  ])("%j", (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });
});
