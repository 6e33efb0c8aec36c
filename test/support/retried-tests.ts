import type { Reporter, TestCase } from "vitest/node";

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
      const cause = test.result().errors?.[0]?.message.split("\n")[0] ?? "";
      console.log(`  ${test.module.relativeModuleId} > ${test.fullName} (${test.result().state}): ${cause}`);
    }
  },
};
