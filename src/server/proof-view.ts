import { approversOf } from "../core/change/review.ts";
import type { ChangeState } from "../core/change/state.ts";
import { describeSpent, spentOn } from "../core/cost/spent.ts";
import { describeProvenCheck } from "../core/merge/proof.ts";
import type { World } from "../core/world.ts";
import type { ProofView } from "../protocol/views/proof.ts";
import { toTime } from "./time.ts";

/** Why a merged pull request was allowed to merge, and what it cost; null: it is not merged. */
export function toProofView(change: ChangeState, world: World): ProofView | null {
  const { merged } = change;
  if (merged === null) return null;
  const { commit, by, strategy, at, proof } = merged;
  const spent = spentOn(world, change);
  return {
    commit,
    by,
    strategy,
    at: toTime(at),
    isRecorded: proof !== undefined,
    rules: proof?.rules ?? [],
    checks: (proof?.checks ?? []).map((check) => ({ ...check, text: describeProvenCheck(check) })),
    approvals: proof?.approvals ?? approversOf(change),
    override: proof?.override ?? null,
    cost: spent === null ? null : { ...spent, text: describeSpent(spent) },
  };
}
