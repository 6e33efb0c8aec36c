import { shortCommit } from "../../core/hash.ts";
import type { ProofView } from "../../protocol/views/proof.ts";
import { renderRules } from "./rules-view.ts";
import { visibleLine } from "./visible.ts";

/** Names and values of the rows that prove a merge. */
export function listProof(proof: ProofView): readonly (readonly [name: string, value: string])[] {
  const { by, commit, strategy, override, checks, rules, cost, isRecorded } = proof;
  // The checks have rows of their own, with what they ran on.
  const others = rules.filter(({ rule }) => !checks.some(({ name }) => rule === `check \`${name}\``));
  const because = renderRules([
    ...checks.map((check) => ({
      rule: `check \`${check.name}\``,
      verdict: check.state === "passed" || !check.isRequired ? ("met" as const) : ("blocking" as const),
      text: check.text,
    })),
    ...others,
  ]);
  return [
    ["merged", `as ${shortCommit(commit)} by ${visibleLine(by)} (${strategy})`],
    ...(override === null ? [] : [["override", visibleLine(override)] as const]),
    ...because.map((line, index) => [index === 0 ? "because" : "", line] as const),
    ...(isRecorded ? [] : [["because", "not recorded"] as const]),
    ...(cost === null ? [] : [["cost", cost.text] as const]),
  ];
}
