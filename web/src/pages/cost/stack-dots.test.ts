import { expect, it } from "vitest";
import { stackDots } from "./stack-dots.ts";

it("dots at the same place are stacked", () => {
  expect(stackDots([1, 11, 9, 10], 10)).toEqual([
    { x: 0, level: 0 },
    { x: 10, level: 0 },
    { x: 10, level: 1 },
    { x: 10, level: 2 },
  ]);
});
