import { describe, expect, it } from "vitest";
import { readFailure } from "./read-failure.ts";

describe("the failed tests in a log", () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      "pytest",
      "=== short test summary info ===\nFAILED tests/test_cart.py::test_total[a b] - assert 1 == 2\nERROR tests/test_io.py\n1 failed",
      ["tests/test_cart.py::test_total[a b]", "tests/test_io.py"],
    ],
    [
      "go test",
      "=== RUN   TestCart\n--- FAIL: TestCart (0.00s)\n    --- FAIL: TestCart/empty (0.00s)\n    cart_test.go:9: no\nFAIL\nFAIL\tshop/cart\t0.002s",
      ["TestCart/empty"],
    ],
    [
      "cargo",
      "test cart::tests::sum ... ok\ntest cart::tests::total ... FAILED\n\nfailures:\n    cart::tests::total",
      ["cart::tests::total"],
    ],
    [
      "vitest",
      " ❯ src/cart.test.ts (2 tests | 1 failed) 5ms\n FAIL  src/cart.test.ts > total > is the sum\nAssertionError: no",
      ["src/cart.test.ts > total > is the sum"],
    ],
    [
      "vitest with projects",
      " FAIL  |pure| src/cart.test.ts > total\n FAIL  |pure| src/b.test.ts > x",
      ["src/cart.test.ts > total", "src/b.test.ts > x"],
    ],
    [
      "vitest, of a file that cannot be loaded",
      " FAIL  src/cart.test.ts [ src/cart.test.ts ]\nError: no",
      ["src/cart.test.ts"],
    ],
    ["jest", "FAIL src/cart.test.js\n  ● total › is the sum\n\n    expect(1)", ["total › is the sum"]],
    [
      "TAP",
      "TAP version 13\nok 1 - a\nnot ok 2 - is the sum # time=3ms\n    not ok 1 - inner\nnot ok 3 - later # TODO\nnot ok 4 # SKIP no network",
      ["is the sum", "inner"],
    ],
    [
      "JUnit XML",
      '<testsuite><testcase classname="Cart" name="a"/><testcase name="is &lt; 3" classname="Cart"><failure>no</failure></testcase><testcase name="b"></testcase></testsuite>',
      ["Cart is < 3"],
    ],
    ["nothing that is known", "make: *** [all] Error 2\nFAIL", []],
  ])("are found in that of %s", (_, log, tests) => {
    expect(readFailure(log).tests ?? []).toEqual(tests);
  });

  it("are at most 20, each named once and in one short line", () => {
    const names = Array.from({ length: 60 }, (_, n) => `test case${n % 30}${"x".repeat(400)} ... FAILED`);
    const { tests = [] } = readFailure(names.join("\n"));
    expect(tests).toHaveLength(20);
    expect(new Set(tests.map((name) => name.length))).toEqual(new Set([200]));
  });
});

it("finds the step that a forge names", () => {
  expect(readFailure("Failed step: Run npm test\n\n> vitest run")).toEqual({ step: "Run npm test" });
  expect(readFailure("all is well")).toEqual({});
});
