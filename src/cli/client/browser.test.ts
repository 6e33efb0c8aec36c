import { expect, it } from "vitest";
import { opensByItself } from "./browser.ts";

const screen = { DISPLAY: ":0" };

it.each([
  ["a terminal on a desktop", screen, "linux", true, true],
  ["a terminal on a Mac", {}, "darwin", true, true],
  ["a Mac over SSH", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "darwin", true, false],
  ["a machine without a screen", {}, "linux", true, false],
  ["output that goes to a file", screen, "linux", false, false],
  ["CI", { ...screen, CI: "true" }, "linux", true, false],
] as const)("a page on %s", (_where, env, platform, isTerminal, opens) => {
  expect(opensByItself(env, platform, isTerminal)).toBe(opens);
});
