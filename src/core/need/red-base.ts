import { mainChecks } from "../guard/guard.ts";
import { shortCommit } from "../hash.ts";
import { resultOn } from "../project/commit-check.ts";
import type { ProjectState } from "../project/state.ts";

/** A check that fails on the base, and that nobody fixes unless a person sees to it. */
export interface RedBase {
  readonly check: string;
  readonly commit: string;
  readonly text: string;
  readonly at: number;
}

/** The pull requests of a project. */
export interface ChangesThere {
  nameOf(key: string): string;
  /** Does a pull request wait for a fix of this check on the base? */
  isAwaited(check: string): boolean;
}

/** Checks that fail on the base; empty while the main guard looks for the cause or reverts it. */
export function redOnBase(project: ProjectState, changes: ChangesThere): readonly RedBase[] {
  const found = brokenByMerge(project, changes);
  return [...(found === null ? [] : [found]), ...failedInComparison(project, changes)];
}

function brokenByMerge(project: ProjectState, { nameOf }: ChangesThere): RedBase | null {
  const { main, policy, defaultBranch: base } = project;
  const broken = main?.broken ?? null;
  if (broken === null || broken.culprit === null || broken.revert !== null) return null;
  const { check, commit, at, culprit, failure } = broken;
  if (culprit.key === null) {
    const text = `Check \`${check}\` fails on ${base} (${shortCommit(commit)}); no merge by ao is known to have broken it.`;
    return { check, commit, at, text };
  }
  if (policy?.mainGuard === "auto" && failure === null) return null;
  const why = failure === null ? "" : ` ao could not revert it: ${failure}`;
  const text = `Check \`${check}\` has failed on ${base} since ${nameOf(culprit.key)} (${shortCommit(culprit.commit)}).${why}`;
  return { check, commit, at, text };
}

// Found because a pull request fails it too; checks that the main guard runs are its own business. A base that is red in
// another way than all pull requests holds up nobody.
function failedInComparison(project: ProjectState, { isAwaited }: ChangesThere): readonly RedBase[] {
  const { baseHead: commit, policy, commitChecks, defaultBranch: base } = project;
  if (commit === null || policy === null) return [];
  const guarded = policy.mainGuard === "off" ? [] : mainChecks(policy);
  return Object.values(commitChecks?.[commit] ?? {}).flatMap(({ name: check, at }) => {
    const state = resultOn(project, commit, check);
    if ((state !== "failed" && state !== "timed-out") || guarded.includes(check) || !isAwaited(check)) return [];
    const text = `Check \`${check}\` fails on ${base} (${shortCommit(commit)}): pull requests that fail it in the same way wait for a fix.`;
    return [{ check, commit, at, text }];
  });
}
