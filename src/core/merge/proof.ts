import { shortCommit } from "../hash.ts";
import type { MergeStrategy } from "./strategy.ts";

/** What a check ran on: exactly the merged files, the last commit of its batch in the merge train, or the head of its branch. */
export const CHECKED_TREES = ["result", "batch", "head"] as const;

/** What became of a merged pull request. */
export interface Merged {
  readonly commit: string;
  readonly baseBefore: string;
  readonly by: string;
  readonly strategy: MergeStrategy;
  readonly deleteAfter: boolean;
  /** Why it was allowed; absent in states of older versions. */
  readonly proof?: MergeProof;
  readonly at: number;
}

/** A check as it stood when its pull request was merged. */
export interface ProvenCheck {
  readonly name: string;
  readonly isRequired: boolean;
  /** As that of a check. */
  readonly state: string;
  /** null: the forge ran it, or it has none. */
  readonly code: number | null;
  readonly commit: string;
  readonly tree: (typeof CHECKED_TREES)[number];
  readonly tookMs: number | null;
}

/** Why a merge was allowed, as it stood at that moment. */
export interface MergeProof {
  readonly rules: readonly {
    readonly rule: string;
    readonly verdict: "met" | "waiting" | "blocking" | "overridden";
    readonly text: string;
  }[];
  readonly checks: readonly ProvenCheck[];
  readonly approvals: readonly string[];
  /** The reason of the person who merged against the project's own rules. */
  readonly override?: string;
}

const TREES: Readonly<Record<ProvenCheck["tree"], string>> = {
  result: "exactly what was merged",
  batch: "the last commit of its batch",
  head: "the head of its branch",
};

/** A check of a merge in words: `passed (exit code 0) on 5d6e7f8, exactly what was merged`. */
export function describeProvenCheck({ state, code, commit, tree, isRequired }: ProvenCheck): string {
  const exit = code === null ? "" : ` (exit code ${code})`;
  return `${state.replaceAll("-", " ")}${exit} on ${shortCommit(commit)}, ${TREES[tree]}${isRequired ? "" : " (optional)"}`;
}

/** Why a merge was allowed, in one line for a page of its forge. */
export function describeProof({ rules, checks, override }: MergeProof): string {
  const others = rules.filter(({ rule }) => !rule.startsWith("check `"));
  return [
    ...(override === undefined ? [] : [`overridden: ${override}`]),
    ...checks.map((check) => `check \`${check.name}\` ${describeProvenCheck(check)}`),
    ...others.map(({ rule, verdict, text }) => `${rule}: ${verdict === "met" ? text : `${verdict}, ${text}`}`),
  ].join("; ");
}
