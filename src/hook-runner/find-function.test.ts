import { expect, it } from "vitest";
import { findFunction } from "./find-function.ts";

const named = (): boolean => true;
const main = (): boolean => false;

it.each<[string, Record<string, unknown>, unknown]>([
  ["named like the point", { beforeMerge: named }, named],
  ["named like the point rather than the default export", { beforeMerge: named, default: main }, named],
  ["the default export", { afterMerge: named, default: main }, main],
  ["in the default export", { default: { beforeMerge: named } }, named],
])("the function of before-merge is the one %s", (_, exports, expected) => {
  expect(findFunction(exports, "before-merge")).toBe(expected);
});

it.each<[Record<string, unknown>, string]>([
  [{ beforMerge: named }, 'has no function beforeMerge (did you mean "beforMerge"?)'],
  [{ default: { before_merge: named } }, 'has no function beforeMerge (did you mean "before_merge"?)'],
  [{ onCiFinished: named }, "has no function beforeMerge (known here: onCiFinished)"],
  [{ beforeMerge: "yes", default: null }, "has no function beforeMerge (it exports no functions)"],
])("a module without it: %o", (exports, expected) => {
  expect(findFunction(exports, "before-merge")).toBe(expected);
});
