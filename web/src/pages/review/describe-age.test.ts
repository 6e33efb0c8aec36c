import { expect, it } from "vitest";
import { describeAge } from "./describe-age.ts";

const OPENED = "2026-11-16T14:36:00Z";
const NOW = Date.parse("2026-11-16T14:40:00Z");

it.each([
  ["open", "open for 4 min"],
  ["merged", "opened 4 min ago"],
  ["closed", "opened 4 min ago"],
])("the header of a pull request that is %s says %s", (phase, text) => {
  expect(describeAge({ phase, openedAt: OPENED }, NOW)).toBe(text);
});
