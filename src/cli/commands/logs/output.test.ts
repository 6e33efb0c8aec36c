import { expect, it } from "vitest";
import { lastLines } from "./output.ts";

it.each([
  { text: "a\nb\nc\n", count: 2, gives: "b\nc\n" },
  { text: "a\nb\nc", count: 2, gives: "b\nc" },
  { text: "a\nb\n", count: 5, gives: "a\nb\n" },
  { text: "\nb\n", count: 1, gives: "b\n" },
  { text: "\nb\n", count: 2, gives: "\nb\n" },
  { text: "\n\n\n", count: 1, gives: "\n" },
  { text: "a\nb\n", count: 0, gives: "" },
  { text: "", count: 3, gives: "" },
])("the last $count lines of $text", ({ text, count, gives }) => {
  expect(lastLines(text, count)).toBe(gives);
});
