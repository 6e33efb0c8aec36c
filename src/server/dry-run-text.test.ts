import { expect, it } from "vitest";
import type { RowReason } from "../core/replay/dry-run-row.ts";
import { describeRowReason } from "./dry-run-text.ts";

const CASES: readonly (readonly [RowReason, number, string | null])[] = [
  [null, 3, null],
  [{ kind: "approvals", missing: 1 }, 1, "it needs 1 approval"],
  [{ kind: "approvals", missing: 2 }, 3, "they need 2 approvals"],
  [{ kind: "path", pattern: "src/payment/**", file: "src/payment/a.ts" }, 2, "they touch `src/payment/**`"],
  [{ kind: "too-large", what: "lines", count: 900, limit: 400 }, 1, "it changes more than 400 lines"],
  [{ kind: "label", label: "hold" }, 2, "label `hold`"],
  [{ kind: "rule", say: "ask the platform team" }, 2, "ask the platform team"],
  [{ kind: "unrecorded", what: { kind: "size" } }, 2, "their size was not recorded"],
  [{ kind: "unrecorded", what: { kind: "check", name: "e2e" } }, 1, "check `e2e` did not run"],
  [{ kind: "closed" }, 1, "later closed"],
  [{ kind: "changed" }, 2, "later changed"],
];

it.each(CASES)("%j of %i merges is shown as %s", (reason, count, text) => {
  expect(describeRowReason(reason, count)).toBe(text);
});
