import { approversOf } from "../change/review.ts";
import type { ChangeSize, ChangeState } from "../change/state.ts";
import { findGlobFault, matchGlob } from "../glob/glob.ts";
import { describeHeld, type HeldPath } from "../held/held.ts";
import type { MergePolicy, ProjectPolicy } from "../policy.ts";
import { judgeCondition } from "../reaction/condition.ts";

/** A project rule's objection to a merge. */
export type PolicyBlocker =
  /** Its size is unknown: not yet, or not at all. */
  | { readonly kind: "unmeasured"; readonly isPending: boolean }
  /** A person must have approved this commit. */
  | { readonly kind: "path"; readonly pattern: string; readonly file: string; readonly undecided?: string }
  /** The same, by the built-in rule. `more`: how many further paths there are. */
  | { readonly kind: "held"; readonly paths: readonly HeldPath[]; readonly more: number }
  | { readonly kind: "too-large"; readonly what: "files" | "lines"; readonly count: number; readonly limit: number }
  /** `undecided`: why `ao` cannot tell whether the rule is satisfied. */
  | { readonly kind: "rule"; readonly say: string; readonly undecided?: string };

/** Do these rules depend on the size of a pull request? */
export function dependsOnSize({ merging, held }: ProjectPolicy): boolean {
  return (
    held !== undefined || personPaths(merging).length > 0 || merging.maxFiles !== null || merging.maxLines !== null
  );
}

/** Does this measurement answer what the rules ask? null is an answer: it could not be measured. */
export function isMeasured(size: ChangeSize | null | undefined, { held }: ProjectPolicy): boolean {
  if (size === undefined) return false;
  return size === null || held === undefined || size.held?.rule === held.key;
}

/** The globs whose files need a person. */
export function personPaths({ paths }: MergePolicy): readonly string[] {
  return Object.keys(paths).filter((glob) => paths[glob] === "human");
}

/** The rules' objections to merging this very commit; an approval of it satisfies those that want a person. */
export function policyBlockers(change: ChangeState, policy: ProjectPolicy): readonly PolicyBlocker[] {
  return [...sizeBlockers(change, policy), ...ruleBlockers(change, policy.merging)];
}

/** What this commit changes that the built-in rule holds and the project has not lifted, approved or not. */
export function heldPathsOf(change: ChangeState, policy: ProjectPolicy): Pick<HeldBlocker, "paths" | "more"> {
  const facts = sizeOf(change)?.held;
  if (policy.held === undefined || facts === undefined) return { paths: [], more: 0 };
  const lifted = Object.entries(policy.merging.paths).flatMap(([glob, rule]) => (rule === "none" ? [glob] : []));
  const paths = facts.paths.filter(({ path }) => !lifted.some((glob) => matchGlob(glob, path) === true));
  // Nobody knows whether the rest is lifted.
  return { paths, more: facts.count - facts.paths.length };
}

type HeldBlocker = Extract<PolicyBlocker, { readonly kind: "held" }>;

/** As a standalone phrase. */
export function describePolicyBlocker(blocker: PolicyBlocker): string {
  switch (blocker.kind) {
    case "unmeasured":
      return blocker.isPending ? "measuring how much it changes" : "size of the change unknown";
    case "path":
      return `${blocker.file} needs a person's approval (${blocker.undecided ?? `\`${blocker.pattern}\``})`;
    case "held":
      return `a person must approve ${listHeld(blocker)}`;
    case "too-large":
      return `changes ${blocker.count} ${blocker.what}; more than ${blocker.limit} need a person's approval`;
    case "rule":
      return blocker.undecided === undefined ? blocker.say : `${blocker.say} (${blocker.undecided})`;
  }
}

const MAX_NAMED = 5;

/** Held paths with their reasons, the first few of many. */
export function listHeld({ paths, more }: Pick<HeldBlocker, "paths" | "more">): string {
  const rest = more + Math.max(0, paths.length - MAX_NAMED);
  return [...paths.slice(0, MAX_NAMED).map(describeHeld), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function sizeOf({ mergeability, head }: ChangeState): ChangeSize | null | undefined {
  return mergeability?.head === head ? mergeability.size : undefined;
}

function sizeBlockers(change: ChangeState, policy: ProjectPolicy): readonly PolicyBlocker[] {
  if (!dependsOnSize(policy) || approversOf(change).length > 0) return [];
  const size = sizeOf(change);
  if (size == null || !isMeasured(size, policy)) return [{ kind: "unmeasured", isPending: size !== null }];
  const { merging } = policy;
  const held = heldPathsOf(change, policy);
  return [
    ...(held.paths.length + held.more > 0 ? [{ kind: "held", ...held } as const] : []),
    ...pathBlockers(size.paths, personPaths(merging)),
    // A cut list says nothing about the rest.
    ...(size.paths.length < size.files && personPaths(merging).length > 0
      ? [{ kind: "unmeasured", isPending: false } as const]
      : []),
    ...overLimit("files", size.files, merging.maxFiles),
    ...overLimit("lines", size.added + size.removed, merging.maxLines),
  ];
}

function pathBlockers(paths: readonly string[], globs: readonly string[]): readonly PolicyBlocker[] {
  return globs.flatMap((pattern): readonly PolicyBlocker[] => {
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
