import { expect, it } from "vitest";
import { describeFound } from "./rebuild-store.ts";

it.each([
  [[], [], "Found again: 0 projects, 0 sessions."],
  [["app"], ["app-1"], "Found again: 1 project, 1 session (app-1)."],
  [["app", "web"], ["app-1", "web-1"], "Found again: 2 projects, 2 sessions (app-1, web-1)."],
])("%j and %j: %s", (projects, sessions, text) => {
  expect(describeFound({ projects, sessions })).toBe(text);
});
