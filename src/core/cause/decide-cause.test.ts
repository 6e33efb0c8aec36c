import { expect, it } from "vitest";
import { decideCause, type FailureFacts } from "./decide-cause.ts";

const FAILED: FailureFacts = {
  isRequired: true,
  onBase: "passed",
  failures: 2,
  isKnownFlake: false,
  reruns: 1,
  canRerun: true,
};

it.each<readonly [string, Partial<FailureFacts>, string]>([
  ["failed twice and passes on the base", {}, "branch"],
  ["failed for the first time", { failures: 1 }, "rerun"],
  ["failed for the first time, and the base is not known yet", { failures: 1, onBase: "pending" }, "rerun"],
  ["failed twice, and the base is not known yet", { onBase: "pending" }, "wait"],
  ["failed twice, and the base cannot be checked", { onBase: "unknown" }, "branch"],
  ["fails on the base in the same way", { onBase: "same" }, "base"],
  ["fails on the base in the same way, before it ran again", { onBase: "same", failures: 1 }, "base"],
  ["fails on the base in another way", { onBase: "different" }, "branch"],
  ["fails on the base in another way, before it ran again", { onBase: "different", failures: 1 }, "rerun"],
  ["is optional", { isRequired: false, failures: 1, onBase: "pending" }, "optional"],
  ["may not run again", { failures: 1, reruns: 0 }, "branch"],
  ["may not run again, and was flaky before", { failures: 1, reruns: 0, isKnownFlake: true }, "branch"],
  ["may run again twice, and failed twice", { reruns: 2 }, "rerun"],
  ["cannot run again", { failures: 1, canRerun: false }, "branch"],
  ["failed twice and was flaky before", { isKnownFlake: true }, "rerun"],
  ["failed three times and was flaky before", { isKnownFlake: true, failures: 3 }, "branch"],
])("a check that %s", (_, facts, expected) => {
  const step = decideCause({ ...FAILED, ...facts });
  expect(step.kind === "attribute" ? step.cause : step.kind).toBe(expected);
});
