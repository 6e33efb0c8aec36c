import { describe, expect, it } from "vitest";
import { aChange, aCheckRule, aCheckRun, aPolicy } from "../../testing/change-builders.ts";
import { explainMerge } from "./explain.ts";

const policy = aPolicy({
  checks: { unit: aCheckRule(), lint: aCheckRule() },
  merging: {
    approvals: 1,
    blockLabels: ["hold"],
    paths: { "src/auth/**": "human" },
    maxFiles: 2,
    quietHours: { from: "00:00", to: "06:00", timeZone: "UTC" },
    rules: [{ unless: "pr.base == 'next'", say: "only the next release takes changes" }],
  },
});
const change = aChange({
  labels: ["hold"],
  checks: { unit: aCheckRun(), lint: aCheckRun({ name: "lint", state: "running" }) },
  mergeability: {
    ...{ kind: "clean", head: aChange().head, baseHead: "b1", files: [], reason: null },
    size: { files: 1, added: 5, removed: 0, paths: ["src/auth/login.ts"] },
  },
});
const facts = { baseHead: "b1", now: Date.parse("2026-01-15T03:00:00Z") };

describe("the explanation of a merge", () => {
  it("has each rule with its verdict", () => {
    expect(explainMerge(change, policy, facts).map(({ rule, verdict, text }) => [verdict, rule, text])).toEqual([
      ["met", "check `unit`", "passed"],
      ["waiting", "check `lint`", "check `lint` running"],
      ["blocking", "approvals", "needs 1 approval"],
      ["met", "requested changes", "none are open"],
      ["met", "conflicts", "merges cleanly into main"],
      ["blocking", "label `hold`", "label `hold`"],
      ["blocking", "paths `src/auth/**`", "src/auth/login.ts needs a person's approval (`src/auth/**`)"],
      ["met", "at most 2 files", "within the limit, or a person approved"],
      ["blocking", "rule `pr.base == 'next'`", "only the next release takes changes"],
      ["waiting", "quiet hours 00:00-06:00 UTC", "nothing is merged until 06:00"],
    ]);
  });

  it("has the number of missing approvals", () => {
    const approvals = explainMerge(change, policy, facts).find(({ kind }) => kind === "approvals");
    expect(approvals).toMatchObject({ verdict: "blocking", missing: 1 });
  });

  it("has the forge's objections to the merge", () => {
    const unreported = aChange({ forge: { seen: null, writes: [] } as never });
    const rules = explainMerge(unreported, policy, facts);
    expect(rules.find(({ kind }) => kind === "forge")).toMatchObject({ verdict: "waiting" });
    expect(explainMerge(change, policy, facts).some(({ kind }) => kind === "forge")).toBe(false);
  });

  it("shows what a person has overridden, which is never a check", () => {
    const request = { by: "ann", strategy: "squash", deleteAfter: false, head: change.head, at: 1 } as const;
    const waits = { reason: null, files: [], notBefore: 0, holds: 0 };
    const urgent = { ...change, mergeRequest: { ...request, ...waits, override: "production is down" } };
    const verdicts = explainMerge(urgent, policy, facts).map(({ rule, verdict }) => `${verdict} ${rule}`);
    expect(verdicts.filter((text) => text.startsWith("blocking"))).toEqual([]);
    expect(verdicts).toContain("waiting check `lint`");
    expect(verdicts.filter((text) => text.startsWith("overridden"))).toHaveLength(5);
  });
});
