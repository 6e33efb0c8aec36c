import { expect, it } from "vitest";
import { compareMerges, type Run } from "./compare-merges.ts";
import type { Outcome } from "./outcome.ts";
import type { MergeRecord } from "./watch-merges.ts";

const MINUTE = 60_000;
const APPROVAL = { kind: "approvals", missing: 1 } as const;
const PAYMENT = { kind: "path", pattern: "src/payment/**", file: "src/payment/a.ts" } as const;
const AUTOMATIC = { waited: false, requestedAt: 100 };
const WAITED = { waited: true, waitMs: 30 * MINUTE };

interface Side extends Partial<MergeRecord> {
  /** When a rule requests the merge. */
  readonly requestedAt?: number;
  /** Of which commit; default: the last one. */
  readonly requested?: string;
}

function aRun({ requestedAt, requested = "head1", ...facts }: Side): Run {
  const record = { key: "demo/1", number: 1, projectId: "demo", head: "head1", waited: false, waitMs: 0 };
  const event = { type: "merge.requested", by: "ao", strategy: "squash", deleteAfter: false, head: requested } as const;
  return {
    steps: requestedAt === undefined ? [] : [{ stream: "change:demo/1", event, at: requestedAt }],
    merges: new Map([["demo/1", { ...record, reason: null, unrecorded: null, ...facts }]]),
  };
}

const MERGED: Outcome = { merged: "head1", isClosed: false, isReverted: false };
const REVERTED: Outcome = { ...MERGED, isReverted: true };
const CLOSED: Outcome = { merged: null, isClosed: true, isReverted: false };

interface Case {
  readonly name: string;
  readonly before: Side;
  readonly after: Side;
  readonly outcome?: Outcome;
  readonly is: string | null;
  readonly reason?: unknown;
  readonly savedMs?: number;
}

const CASES: readonly Case[] = [
  {
    name: "that waited and would have merged automatically saves its wait",
    before: WAITED,
    after: AUTOMATIC,
    is: "automatic",
    savedMs: 30 * MINUTE,
  },
  {
    name: "that was reverted and would have merged automatically is bad",
    before: WAITED,
    after: AUTOMATIC,
    outcome: REVERTED,
    is: "bad",
  },
  {
    name: "that was reverted and is approved under both rules counts as before",
    before: { ...WAITED, requestedAt: 100 },
    after: { ...WAITED, requestedAt: 100, reason: APPROVAL },
    outcome: REVERTED,
    is: "still-waits",
    reason: APPROVAL,
  },
  {
    name: "that was reverted and merged automatically is caught by an approval",
    before: AUTOMATIC,
    after: { waited: true, reason: APPROVAL },
    outcome: REVERTED,
    is: "bad-caught",
    reason: APPROVAL,
  },
  {
    name: "of a pull request that people closed is unfinished",
    before: WAITED,
    after: AUTOMATIC,
    outcome: CLOSED,
    is: "unfinished",
    reason: { kind: "closed" },
  },
  {
    name: "of a commit that was changed before its merge is unfinished",
    before: WAITED,
    after: { ...AUTOMATIC, requested: "head0" },
    is: "unfinished",
    reason: { kind: "changed" },
  },
  {
    name: "of a commit that was changed later is no difference if both rules merge it",
    before: { ...AUTOMATIC, requested: "head0" },
    after: { ...AUTOMATIC, requested: "head0" },
    is: null,
  },
  {
    name: "that no rule requests any more waits",
    before: AUTOMATIC,
    after: { waited: true },
    is: "waits",
    reason: null,
  },
  {
    name: "that needs an approval now waits for it",
    before: AUTOMATIC,
    after: { waited: true, reason: APPROVAL, requestedAt: 900 },
    is: "waits",
    reason: APPROVAL,
  },
  {
    name: "that waits half as long is sooner",
    before: WAITED,
    after: { waited: true, waitMs: 15 * MINUTE, reason: APPROVAL, requestedAt: 100 },
    is: "sooner",
    reason: APPROVAL,
    savedMs: 15 * MINUTE,
  },
  {
    name: "that waits twice as long is later",
    before: WAITED,
    after: { waited: true, waitMs: 60 * MINUTE, reason: APPROVAL },
    is: "later",
    reason: APPROVAL,
  },
  {
    name: "that touches a path for people still waits",
    before: WAITED,
    after: { ...WAITED, reason: PAYMENT, requestedAt: 100 },
    is: "still-waits",
    reason: PAYMENT,
  },
  {
    name: "whose size nobody recorded is unknown",
    before: WAITED,
    after: { unrecorded: { kind: "size" } },
    is: "unknown",
    reason: { kind: "unrecorded", what: { kind: "size" } },
  },
  { name: "that both rules request at the same time is no difference", before: AUTOMATIC, after: AUTOMATIC, is: null },
  {
    name: "that waits only for its checks is no difference",
    before: { waited: false },
    after: { waited: false },
    is: null,
  },
];

it.each(CASES)("a merge $name", ({ before, after, outcome = MERGED, is, reason = null, savedMs = 0 }) => {
  const rows = compareMerges({
    before: aRun(before),
    after: aRun(after),
    outcomes: new Map([["demo/1", outcome]]),
    automaticProjects: new Set(["demo"]),
  });
  const row = { kind: is, count: 1, reason, savedMs, examples: [{ stream: "change:demo/1" }] };
  expect(rows).toEqual(is === null ? [] : [row]);
});

it("merges that wait as before are no news if the rules about merges are the same", () => {
  const run = aRun({ ...WAITED, reason: APPROVAL });
  expect(compareMerges({ before: run, after: run, outcomes: new Map(), automaticProjects: new Set() })).toEqual([]);
});

it("merges with the same reason are one row with at most three examples", () => {
  const keys = ["demo/1", "demo/2", "demo/3", "demo/4"];
  const file = (key: string) => ({ ...PAYMENT, file: `src/payment/${key}.ts` });
  const runOf = (facts: (key: string) => Partial<MergeRecord>): Run => {
    const one = aRun(WAITED).merges.get("demo/1") as MergeRecord;
    return { steps: [], merges: new Map(keys.map((key) => [key, { ...one, key, ...facts(key) }])) };
  };
  const rows = compareMerges({
    before: runOf(() => ({ waited: false })),
    after: runOf((key) => ({ reason: file(key) })),
    outcomes: new Map(),
    automaticProjects: new Set(["demo"]),
  });
  expect(rows).toMatchObject([{ kind: "waits", count: 4, reason: { pattern: "src/payment/**" } }]);
  expect(rows[0]?.examples.map(({ stream }) => stream)).toEqual(["change:demo/1", "change:demo/2", "change:demo/3"]);
});
