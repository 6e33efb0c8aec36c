import { expect, it } from "vitest";
import { stepNeed } from "./step-need.ts";

const ENTRIES = [
  { id: "a/question", sessionId: "a" },
  { id: "b/review", sessionId: "b" },
];
const NEEDS = { entries: ENTRIES, sessionIds: new Set(["a", "b"]) };

it("cycles through the sessions that need a person", () => {
  expect(stepNeed(NEEDS, "/", 1)).toBe("/s/a");
  expect(stepNeed(NEEDS, "/", -1)).toBe("/s/b");
  expect(stepNeed(NEEDS, "/s/a", 1)).toBe("/s/b");
  expect(stepNeed(NEEDS, "/s/b", 1)).toBe("/s/a");
  expect(stepNeed(NEEDS, "/s/a", -1)).toBe("/s/b");
  expect(stepNeed({ ...NEEDS, entries: [] }, "/", 1)).toBeNull();
});

it("steps through the inbox entries while it is open", () => {
  expect(stepNeed(NEEDS, "/inbox", 1)).toBe("/inbox/a%2Fquestion");
  expect(stepNeed(NEEDS, "/inbox/a%2Fquestion", 1)).toBe("/inbox/b%2Freview");
});

it("visits a session with two needs once per round", () => {
  const [question, review] = ENTRIES;
  const needs = { ...NEEDS, entries: [question, { id: "a/review", sessionId: "a" }, review].filter((one) => !!one) };
  expect(stepNeed(needs, "/s/a", 1)).toBe("/s/b");
  expect(stepNeed(needs, "/s/b", 1)).toBe("/s/a");
  expect(stepNeed(needs, "/s/b", -1)).toBe("/s/a");
  expect(stepNeed(needs, "/s/a", -1)).toBe("/s/b");
});

it("opens the inbox for a need of a project or of a pull request without a session", () => {
  const entries = [...ENTRIES, { id: "tern/config", sessionId: "tern" }, { id: "tern#7/review", sessionId: "tern#7" }];
  const needs = { ...NEEDS, entries };
  expect(stepNeed(needs, "/s/b", 1)).toBe("/inbox/tern%2Fconfig");
  expect(stepNeed(needs, "/", -1)).toBe("/inbox/tern%237%2Freview");
});
