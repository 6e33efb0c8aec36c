import { approversOf } from "../change/review.ts";
import type { ChangeState, CheckRun } from "../change/state.ts";
import type { ProjectState } from "../project/state.ts";
import { tipOf } from "../train/batch.ts";
import type { World } from "../world.ts";
import { requiredOf } from "./blockers.ts";
import { explainMerge } from "./explain.ts";
import type { MergeProof, ProvenCheck } from "./proof.ts";

// An event stays short.
const MAX_RULES = 50;
const MAX_CHECKS = 50;
const MAX_TEXT = 200;

/** Proves the merge of a pull request that became this commit; null: its project has no rules yet. */
export function proveMerge(
  world: World,
  change: ChangeState,
  { commit, now }: { readonly commit: string; readonly now: number },
): MergeProof | null {
  const project = world.project(change.projectId);
  const policy = project?.policy ?? null;
  if (project === undefined || policy === null) return null;
  // One that was closed while its merge was in progress is merged by the rules of an open one.
  const open: ChangeState = { ...change, phase: "open" };
  const required = requiredOf(open, policy);
  const names = new Set([...required, ...Object.keys(change.checks)]);
  const { mergeRequest: request } = change;
  return {
    rules: explainMerge(open, policy, { baseHead: project.baseHead, now })
      .slice(0, MAX_RULES)
      .map(({ rule, verdict, text }) => ({ rule: cut(rule), verdict, text: cut(text) })),
    checks: [...names].slice(0, MAX_CHECKS).flatMap((name) => {
      const proven = proveCheck(project, change, { name, commit });
      return proven === null ? [] : [{ ...proven, isRequired: required.includes(name) }];
    }),
    approvals: approversOf(change),
    ...(request?.override === undefined ? {} : { override: request.override }),
  };
}

function proveCheck(
  project: ProjectState,
  change: ChangeState,
  { name, commit }: { readonly name: string; readonly commit: string },
): Omit<ProvenCheck, "isRequired"> | null {
  const batch = project.train?.batch ?? null;
  const car = batch?.built?.find((one) => one.key === change.key && one.commit === commit);
  const tip = batch === null || car === undefined ? null : tipOf(batch);
  const ofTip = tip === null ? undefined : project.commitChecks?.[tip.commit]?.[name];
  if (tip !== null && ofTip !== undefined)
    return toProven(ofTip, tip.commit, tip.commit === commit ? "result" : "batch");
  const ofHead = change.checks[name];
  return ofHead === undefined ? null : toProven(ofHead, ofHead.head, car?.isHeadTree === true ? "result" : "head");
}

function toProven(
  { name, state, code, tookMs, ref }: CheckRun,
  commit: string,
  tree: ProvenCheck["tree"],
): Omit<ProvenCheck, "isRequired"> {
  // A check that ran here passes with exit code 0 alone; its event leaves that out.
  return { name, state, code: state === "passed" && ref === undefined ? 0 : code, commit, tree, tookMs };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
