import { expect, it } from "vitest";
import { aCheckRun } from "../../testing/change-builders.ts";
import type { CheckRun } from "../change/state.ts";
import { isSameFailure } from "./compare.ts";

const RED = { state: "failed", code: 1, fingerprint: "f1" } as const;

it.each<readonly [string, Partial<CheckRun>, Partial<CheckRun>, boolean]>([
  ["the same output", {}, {}, true],
  ["another output", {}, { fingerprint: "f2" }, false],
  ["another exit code", {}, { code: 127 }, false],
  ["the same test", { tests: ["a"] }, { tests: ["a", "b"], fingerprint: "f2" }, true],
  ["one more test", { tests: ["a", "c"] }, { tests: ["a", "b"] }, false],
  ["a test, where the base has none", { tests: ["a"] }, {}, false],
  ["no test, where the base has one", {}, { tests: ["a"] }, false],
  ["a time limit on both", { state: "timed-out" }, { state: "timed-out", fingerprint: "f2" }, true],
  ["a time limit on one", { state: "timed-out" }, {}, false],
])("a failure with %s", (_, own, onBase, expected) => {
  expect(isSameFailure(aCheckRun({ ...RED, ...own }), aCheckRun({ ...RED, ...onBase }))).toBe(expected);
});
