import { expect, it } from "vitest";
import { stepNeed } from "./step-need.ts";

const ENTRIES = [
  { id: "a/question", sessionId: "a" },
  { id: "b/review", sessionId: "b" },
];

it("cycles through the sessions that need a person", () => {
  expect(stepNeed(ENTRIES, "/", 1)).toBe("/s/a");
  expect(stepNeed(ENTRIES, "/", -1)).toBe("/s/b");
  expect(stepNeed(ENTRIES, "/s/a", 1)).toBe("/s/b");
  expect(stepNeed(ENTRIES, "/s/b", 1)).toBe("/s/a");
  expect(stepNeed(ENTRIES, "/s/a", -1)).toBe("/s/b");
  expect(stepNeed([], "/", 1)).toBeNull();
});

it("steps through the inbox entries while it is open", () => {
  expect(stepNeed(ENTRIES, "/inbox", 1)).toBe("/inbox/a%2Fquestion");
  expect(stepNeed(ENTRIES, "/inbox/a%2Fquestion", 1)).toBe("/inbox/b%2Freview");
});
