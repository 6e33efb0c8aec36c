import { expect, it } from "vitest";
import { readVerdict } from "./read-verdict.ts";

it.each([undefined, null, true])("%s continues", (value) => {
  expect(readVerdict(value)).toEqual({ isAgreed: true });
});

it.each([
  [false, null],
  [{ refuse: " not today\n" }, "not today"],
  [{ refuse: "" }, null],
])("%o refuses", (value, reason) => {
  expect(readVerdict(value)).toEqual({ isAgreed: false, reason });
});

it.each([
  ["no", "a string"],
  [0, "a number"],
  [[true], "an array"],
  [{}, "an empty object"],
  [{ refused: "not today" }, "an object with refused"],
  [{ refuse: 1 }, "an object with refuse"],
])("%o is not an agreement", (value, what) => {
  const fault = `returned ${what}; expected nothing, true, false or { refuse: "reason" }`;
  expect(readVerdict(value)).toEqual({ isAgreed: false, fault });
});
