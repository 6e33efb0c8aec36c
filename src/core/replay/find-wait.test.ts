import { expect, it } from "vitest";
import { aChange, aCheckRule, aCheckRun, aPolicy, aRule } from "../../testing/change-builders.ts";
import type { ChangeState } from "../change/state.ts";
import type { ProjectPolicy } from "../policy.ts";
import { findWait, type Wait } from "./find-wait.ts";

const SIZE = { files: 1, added: 1, removed: 0, paths: ["src/payment/a.ts"] };
const CLEAN = { kind: "clean", head: "head1", baseHead: "base1", files: [], reason: null } as const;
const GREEN = aChange({ checks: { unit: aCheckRun() }, mergeability: CLEAN });
const APPROVED = {
  ...GREEN,
  reviews: [{ id: "r1", author: "ann", verdict: "approve", body: null, head: "head1", at: 1 }],
} as const satisfies ChangeState;
const REQUEST = {
  by: "ann",
  strategy: "squash",
  deleteAfter: false,
  head: "head1",
  reason: null,
  files: [],
  notBefore: 0,
  holds: 0,
  at: 1,
} as const;
const NOTIFY = aPolicy({ reactions: { "approved-and-green": aRule({ action: "notify", retries: 0 }) } });
const PATHS = aPolicy({ merging: { approvals: 0, paths: { "src/payment/**": "human" } } });
const LINT = aPolicy({
  merging: { approvals: 0, checks: ["lint"] },
  checks: { unit: aCheckRule(), lint: aCheckRule() },
});

const CASES: readonly (readonly [string, ChangeState, ProjectPolicy, Wait | null])[] = [
  ["an approval", GREEN, aPolicy(), { kind: "person", reason: { kind: "approvals", missing: 1 } }],
  ["nobody once it is approved and a rule merges it", APPROVED, aPolicy(), null],
  ["a person to merge it if no rule does", APPROVED, NOTIFY, { kind: "person", reason: null }],
  ["nobody once its merge is requested", { ...APPROVED, mergeRequest: REQUEST }, NOTIFY, null],
  ["its check, not a person", { ...GREEN, checks: { unit: aCheckRun({ state: "running" }) } }, aPolicy(), null],
  [
    "a person who approves its path",
    { ...GREEN, mergeability: { ...CLEAN, size: SIZE } },
    PATHS,
    { kind: "person", reason: { kind: "path", pattern: "src/payment/**", file: "src/payment/a.ts" } },
  ],
  ["a size that was not recorded", GREEN, PATHS, { kind: "unrecorded", what: { kind: "size" } }],
  ["a check that never ran", GREEN, LINT, { kind: "unrecorded", what: { kind: "check", name: "lint" } }],
  ["nothing after its merge", { ...GREEN, phase: "merged" }, aPolicy(), null],
];

it.each(CASES)("a pull request waits for %s", (_name, change, policy, wait) => {
  expect(findWait(change, policy, "base1")).toEqual(wait);
});
