import { expect, it } from "vitest";
import { densityOf } from "./density.ts";

it.each([
  [6, "auto", "roomy"],
  [7, "auto", "normal"],
  [36, "auto", "dense"],
  [121, "auto", "collapsed"],
  [3, "dense", "dense"],
  [500, "normal", "normal"],
  [60, "roomy", "roomy"],
  [61, "roomy", "normal"],
] as const)("%i sessions with the choice %s are %s", (sessions, choice, density) => {
  expect(densityOf(sessions, choice)).toBe(density);
});
