import { describe, expect, it } from "vitest";
import { composeTask } from "./task-text.ts";

const nothing = { title: "Fix it", prompt: null, issue: null, rules: null };

describe("composeTask", () => {
  it("is the title when there is nothing else", () => {
    expect(composeTask(nothing)).toBe("Fix it");
  });

  it("is the prompt, byte for byte, when there is one", () => {
    const prompt = "line one\n\n  indented\ttab\n";
    expect(composeTask({ ...nothing, prompt })).toBe(prompt);
  });

  it("puts the issue before the prompt and the rules last", () => {
    const text = composeTask({
      title: "Fix it",
      prompt: "Start with the tests.",
      issue: { id: "42", title: "Login fails", body: "It says 500." },
      rules: "Use tabs.",
    });
    expect(text).toBe(
      "Issue 42: Login fails\n\nIt says 500.\n\nStart with the tests.\n\nRules of this project:\nUse tabs.",
    );
  });

  it("leaves out an empty body and empty rules", () => {
    const issue = { id: "42", title: "Login fails", body: " \n" };
    expect(composeTask({ ...nothing, issue, rules: " " })).toBe("Issue 42: Login fails");
  });
});
