import { describe, expect, it } from "vitest";
import { excerpt } from "./text.ts";

describe("excerpt", () => {
  it("shows a short text in full, on one line", () => {
    expect(excerpt({ inline: "  fix\n\tthe   login " })).toBe("fix the login");
  });

  it("ends a long text with an ellipsis, within the length", () => {
    const shown = excerpt({ inline: "x".repeat(200) }, 10);
    expect(shown).toBe(`${"x".repeat(9)}…`);
  });

  it("shows the start of a text that is stored elsewhere", () => {
    expect(excerpt({ blob: "abc", bytes: 90_000, start: "the start" })).toBe("the start");
  });
});
