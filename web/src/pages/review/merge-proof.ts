import type { ProofView } from "../../../../src/protocol/views/proof.ts";
import type { GateCell } from "./merge-gate.ts";

/** Why a merge was allowed, and what it cost, as cells of the gate that it passed. */
export function toProofCells(proof: ProofView): readonly GateCell[] {
  const { checks, approvals, override, rules, cost } = proof;
  const overridden = rules.filter(({ verdict }) => verdict === "overridden");
  return [
    ...(override === null ? [] : [met("override", "Merged against the rules", override)]),
    ...overridden.map(({ rule, text }) => met(rule, `${rule}, overridden`, text)),
    ...checks.map(({ name, text }) => met(`check ${name}`, name, text)),
    ...(approvals.length === 0 ? [] : [met("approvals", "Approved", `by ${approvals.join(", ")}`)]),
    ...(cost === null ? [] : [met("cost", "Cost", cost.text)]),
  ];
}

/** The merge in a few words. */
export function describeMerge({ commit, by, strategy }: ProofView): string {
  return `as ${commit.slice(0, 7)} by ${by} (${strategy})`;
}

function met(key: string, title: string, detail: string): GateCell {
  return { key, state: "met", title, detail };
}
