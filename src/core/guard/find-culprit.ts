import type { CheckRun } from "../change/state.ts";
import type { ProjectState } from "../project/state.ts";
import type { World } from "../world.ts";

/** A commit of the base that may have broken it; `key` null: not a merge by `ao`, as far as known. */
export interface Suspect {
  readonly commit: string;
  readonly key: string | null;
}

/** The next step of the search: a commit to check, or the one that broke the base. */
export type SearchStep =
  | { readonly kind: "check"; readonly commit: string }
  | { readonly kind: "found"; readonly suspect: Suspect };

const MAX_SUSPECTS = 64;

/**
 * The merges since the base was last green, oldest first; the last one is red. A commit that `ao` did not merge ends
 * the list.
 */
export function listSuspects(world: World, project: ProjectState): readonly Suspect[] {
  const { broken = null, green = null } = project.main ?? {};
  const merges = new Map<string, { readonly key: string; readonly before: string }>();
  for (const { key, merged } of world.changesIn(project.id)) {
    if (merged !== null) merges.set(merged.commit, { key, before: merged.baseBefore });
  }
  const suspects: Suspect[] = [];
  let commit: string | null = broken?.commit ?? null;
  while (commit !== null && commit !== green && suspects.length < MAX_SUSPECTS) {
    const merge = merges.get(commit);
    suspects.unshift({ commit, key: merge?.key ?? null });
    commit = merge === undefined || merge.before === commit ? null : merge.before;
  }
  return suspects;
}

/**
 * Bisects, and blames nobody if a check could not be run: between a commit before which all was green and one that is
 * red, it checks the middle one next.
 */
export function searchCulprit(
  suspects: readonly Suspect[],
  resultOf: (commit: string) => CheckRun["state"] | null,
): SearchStep | null {
  let [good, bad] = [-1, suspects.length - 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const suspect = suspects[middle];
    if (suspect === undefined) return null;
    const result = resultOf(suspect.commit);
    if (result === null) return { kind: "check", commit: suspect.commit };
    if (result === "passed") good = middle;
    else if (result === "failed" || result === "timed-out") bad = middle;
    else return { kind: "found", suspect: { commit: suspects.at(-1)?.commit ?? "", key: null } };
  }
  const suspect = suspects[bad];
  return suspect === undefined ? null : { kind: "found", suspect };
}
