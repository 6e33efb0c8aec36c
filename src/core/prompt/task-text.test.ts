import { describe, expect, it } from "vitest";
import { composeTask } from "./task-text.ts";

const nothing = { title: "Fix it", prompt: null, issue: null };
const issue = { id: "42", title: "Login fails", body: "It says 500.", url: null };

describe("composeTask", () => {
  it("is the title when there is nothing else", () => {
    expect(composeTask(nothing)).toBe("Fix it");
  });

  it("is the prompt, byte for byte, when there is one", () => {
    const prompt = "line one\n\n  indented\ttab\n";
    expect(composeTask({ ...nothing, prompt })).toBe(prompt);
  });

  it("puts the user's words before the issue", () => {
    const text = composeTask({ ...nothing, prompt: "Start with the tests.\n", issue });
    expect(text).toBe("Start with the tests.\n\n\nIssue 42: Login fails\n\nIt says 500.");
  });

  it("names the address of the issue and leaves out an empty body", () => {
    const linked = { ...issue, body: " \n", url: "https://example.com/42" };
    expect(composeTask({ ...nothing, issue: linked })).toBe("Issue 42: Login fails\nhttps://example.com/42");
  });
});
