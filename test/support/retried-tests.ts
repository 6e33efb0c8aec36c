import type { Reporter, TestCase } from "vitest/node";

/** How much of a failure is shown: what was typed may come first, and what went wrong after it. */
const MAX_LINES = 20;
const retried: TestCase[] = [];

/** Prints at the end which tests needed a second try, so that a retry never hides a flaky test. */
export const retriedTests: Reporter = {
  onTestCaseResult(test) {
    if ((test.diagnostic()?.retryCount ?? 0) > 0) retried.push(test);
  },
  onTestRunEnd() {
    if (retried.length === 0) return;
    console.log(`${retried.length} retried:`);
    for (const test of retried) {
      const { message = "", diff = "" } = test.result().errors?.[0] ?? {};
      // The message cuts values short; the difference shows them.
      const cause = `${message}\n${diff}`.trim().split("\n").slice(0, MAX_LINES).join("\n    ");
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName} (${test.result().state}): ${cause}`);
    }
  },
};
