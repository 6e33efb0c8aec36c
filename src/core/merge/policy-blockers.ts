import { approversOf } from "../change/review.ts";
import type { ChangeState } from "../change/state.ts";
import { findGlobFault, matchGlob } from "../glob/glob.ts";
import type { MergePolicy } from "../policy.ts";
import { judgeCondition } from "../reaction/condition.ts";

/** A project rule's objection to a merge. */
export type PolicyBlocker =
  /** Its size is unknown: not yet, or not at all. */
  | { readonly kind: "unmeasured"; readonly isPending: boolean }
  /** A person must have approved this commit. */
  | { readonly kind: "path"; readonly pattern: string; readonly file: string; readonly undecided?: string }
  | { readonly kind: "too-large"; readonly what: "files" | "lines"; readonly count: number; readonly limit: number }
  /** `undecided`: why `ao` cannot tell whether the rule is satisfied. */
  | { readonly kind: "rule"; readonly say: string; readonly undecided?: string };

/** Do these rules depend on the size of a pull request? */
export function dependsOnSize({ paths, maxFiles, maxLines }: MergePolicy): boolean {
  return Object.keys(paths).length > 0 || maxFiles !== null || maxLines !== null;
}

/** The rules' objections to merging this very commit; an approval of it satisfies those that want a person. */
export function policyBlockers(change: ChangeState, policy: MergePolicy): readonly PolicyBlocker[] {
  return [...sizeBlockers(change, policy), ...ruleBlockers(change, policy)];
}

/** As a standalone phrase. */
export function describePolicyBlocker(blocker: PolicyBlocker): string {
  switch (blocker.kind) {
    case "unmeasured":
      return blocker.isPending ? "measuring how much it changes" : "size of the change unknown";
    case "path":
      return `${blocker.file} needs a person's approval (${blocker.undecided ?? `\`${blocker.pattern}\``})`;
    case "too-large":
      return `changes ${blocker.count} ${blocker.what}; more than ${blocker.limit} need a person's approval`;
    case "rule":
      return blocker.undecided === undefined ? blocker.say : `${blocker.say} (${blocker.undecided})`;
  }
}

function sizeBlockers(change: ChangeState, policy: MergePolicy): readonly PolicyBlocker[] {
  if (!dependsOnSize(policy) || approversOf(change).length > 0) return [];
  const { mergeability } = change;
  const size = mergeability?.head === change.head ? mergeability.size : undefined;
  if (size == null) return [{ kind: "unmeasured", isPending: size === undefined }];
  const lines = size.added + size.removed;
  return [
    ...pathBlockers(size.paths, policy),
    // A cut list says nothing about the rest.
    ...(size.paths.length < size.files && Object.keys(policy.paths).length > 0
      ? [{ kind: "unmeasured", isPending: false } as const]
      : []),
    ...overLimit("files", size.files, policy.maxFiles),
    ...overLimit("lines", lines, policy.maxLines),
  ];
}

function pathBlockers(paths: readonly string[], policy: MergePolicy): readonly PolicyBlocker[] {
  return Object.keys(policy.paths).flatMap((pattern): readonly PolicyBlocker[] => {
    const file = firstMatch(pattern, paths);
    const undecided = findGlobFault(pattern);
    return file === undefined ? [] : [{ kind: "path", pattern, file, ...(undecided === null ? {} : { undecided }) }];
  });
}

// The same change is judged again and again.
const known = new WeakMap<readonly string[], Map<string, string | undefined>>();

// What is undecided counts as a match: a person looks at it.
function firstMatch(pattern: string, paths: readonly string[]): string | undefined {
  const found = known.get(paths) ?? new Map<string, string | undefined>();
  known.set(paths, found);
  if (!found.has(pattern)) {
    found.set(
      pattern,
      paths.find((path) => matchGlob(pattern, path) !== false),
    );
  }
  return found.get(pattern);
}

function overLimit(what: "files" | "lines", count: number, limit: number | null): readonly PolicyBlocker[] {
  return limit === null || count <= limit ? [] : [{ kind: "too-large", what, count, limit }];
}

function ruleBlockers(change: ChangeState, { rules }: MergePolicy): readonly PolicyBlocker[] {
  const event = { key: "approved-and-green", text: "", subject: "", messages: 0 };
  return rules.flatMap(({ unless, say }): readonly PolicyBlocker[] => {
    const { isMet, undecided } = judgeCondition(unless, { event, change });
    if (isMet) return [];
    return [{ kind: "rule", say, ...(undecided === null ? {} : { undecided }) }];
  });
}
