import { expect, it } from "vitest";
import { describeError } from "./describe-error.ts";

it("an error that the module throws on purpose is its message", () => {
  expect(describeError(new Error("not today"))).toBe("not today");
});

it("a bug is described with its place in the code", () => {
  const error = new TypeError("x is not a function");
  error.stack = "TypeError: x is not a function\n    at beforeMerge (file:///repo/hooks.mjs:3:9)\n    at main.js:1:1";
  expect(describeError(error)).toBe("TypeError: x is not a function (/repo/hooks.mjs:3:9)");
});

it.each([
  ["not today", "not today"],
  [null, "null"],
  [Object.assign(new Error(""), { stack: "" }), "Error"],
])("%o is described too", (error, text) => {
  expect(describeError(error)).toBe(text);
});
