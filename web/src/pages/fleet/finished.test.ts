import { expect, it } from "vitest";
import { describeMerged } from "./finished.tsx";

it.each([
  [[{ lines: null }], "1 pull request merged today"],
  [[{ lines: { added: 3, removed: 1, files: 1 } }, { lines: null }], "2 pull requests merged today, +3 −1 lines"],
])("%j is described as %s", (merged, text) => {
  expect(describeMerged(merged)).toBe(text);
});
