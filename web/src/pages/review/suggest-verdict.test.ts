import { expect, it } from "vitest";
import { aCheck } from "../../../../test/support/pull-request-views.ts";
import { suggestVerdict } from "./suggest-verdict.ts";

type Facts = Parameters<typeof suggestVerdict>[0];
const approvals = {
  kind: "approvals",
  rule: "approvals",
  verdict: "blocking",
  text: "needs 1 approval",
  missing: 1,
} as const;
const MISSING: Facts = {
  checks: [aCheck("unit", "passed")],
  mergeability: { kind: "clean", files: [] },
  rules: [approvals],
  blockers: ["needs 1 approval"],
  mergeRequest: null,
};

it("suggests an approval only if nothing else is missing", () => {
  expect(suggestVerdict(MISSING, 0)).toBe("approve-then-merge");
  const others: readonly Partial<Facts>[] = [
    { checks: [aCheck("unit", "failed")] },
    { checks: [aCheck("unit", "running")] },
    { mergeability: { kind: "conflict", files: ["a.ts"] } },
    { mergeability: null },
    { rules: [approvals, { kind: "changes-requested", rule: "changes-requested", verdict: "blocking", text: "" }] },
  ];
  expect(others.map((more) => suggestVerdict({ ...MISSING, ...more }, 0))).toEqual(others.map(() => null));
});

it("suggests what the pending comments ask for, and the merge once nothing blocks it", () => {
  expect(suggestVerdict(MISSING, 2)).toBe("request-changes");
  expect(suggestVerdict({ ...MISSING, blockers: [] }, 0)).toBe("merge");
  const mergeRequest = { by: "ada", strategy: "squash", reason: null, override: null };
  expect(suggestVerdict({ ...MISSING, mergeRequest }, 0)).toBeNull();
});
