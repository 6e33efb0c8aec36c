import { isBranchName } from "../branch-name.ts";

/** What is known about a branch that a session is about to work on. */
export interface BranchFacts {
  readonly projectId: string;
  readonly defaultBranch: string;
  /** The forge protects it; absent: it does not, or cannot say. */
  readonly isProtected?: boolean;
  /** The repository's remotes; absent: the usual names. */
  readonly remotes?: readonly string[];
  /** The folder where it is checked out; absent or null: nowhere. */
  readonly checkedOutAt?: string | null;
  /** The branch that it stands for as a symbolic ref; absent or null: it is a branch itself. */
  readonly standsFor?: string | null;
}

/** Why no session may work on a branch, as an error. */
export interface BranchRefusal {
  readonly code: "usage" | "conflict";
  readonly message: string;
  readonly hint: string;
}

const USUAL_REMOTES = ["origin", "upstream"];
const REF_FOLDER = /^(?:refs\/)?(?:heads|remotes\/[^/]+)\//;

/**
 * Why a session must not work on this branch, however it is written; null: it may. What is committed on a default or
 * protected branch would be in effect without a review.
 */
export function refuseBranch(written: string, facts: BranchFacts): BranchRefusal | null {
  const { defaultBranch, remotes, checkedOutAt = null, standsFor = null } = facts;
  const shared = describeShared(written, facts);
  if (shared !== null) {
    const hint = `Leave out --branch: a new branch starts from ${defaultBranch}. Or name another, such as --branch fix/login.`;
    return { code: "usage", message: shared, hint };
  }
  const name = shortName(written, remotes);
  if (!isBranchName(written)) {
    const hint = "`git check-ref-format --branch NAME` says what git accepts; `--branch fix/login` is fine.";
    return { code: "usage", message: `"${written}" is not a valid branch name.`, hint };
  }
  if (written.startsWith("refs/") || REF_FOLDER.test(written)) {
    const hint = `Write the short name, such as --branch ${REF_FOLDER.test(written) ? name : "fix/login"}.`;
    return { code: "usage", message: `"${written}" is a ref, not the name of a branch.`, hint };
  }
  if (name !== written) {
    const hint = `To continue it: \`git branch ${name} ${written}\`, then --branch ${name}.`;
    return { code: "usage", message: `"${written}" is a branch of the remote ${written.split("/")[0]}.`, hint };
  }
  if (standsFor !== null) return refuseAlias(name, standsFor, facts);
  if (checkedOutAt === null) return null;
  const hint = `Switch to another branch there: \`git -C ${checkedOutAt} switch ${defaultBranch}\`. Or name another with --branch.`;
  return { code: "conflict", message: `${name} is checked out at ${checkedOutAt}.`, hint };
}

/** What is committed on a symbolic ref moves the branch that it stands for. */
function refuseAlias(name: string, standsFor: string, facts: BranchFacts): BranchRefusal {
  const shared = describeShared(standsFor, facts);
  const hint =
    shared === null ? `Name that branch: --branch ${standsFor}.` : "Name another, such as --branch fix/login.";
  const what = shared === null ? "" : ` ${shared}`;
  return { code: "usage", message: `${name} is a symbolic ref to ${standsFor}.${what}`, hint };
}

/** The sentence for a branch on which others build: the default branch or a protected one; null: it is neither. */
export function describeShared(written: string, facts: BranchFacts): string | null {
  const { projectId, defaultBranch, isProtected = false, remotes } = facts;
  const name = shortName(written, remotes);
  const isDefault = isSameBranch(name, defaultBranch);
  if (!isDefault && !isProtected) return null;
  const what = isDefault ? `${defaultBranch} is the default branch` : `${name} is a protected branch`;
  return `${what} of ${projectId}; sessions work on their own branch.`;
}

/** Are these the same branch? On some file systems names that differ only in case or in how accents are encoded are. */
export function isSameBranch(one: string, another: string): boolean {
  const fold = (name: string): string => name.normalize("NFC").toUpperCase().toLowerCase();
  return fold(one) === fold(another);
}

/** The branch that a name means: `main` for `refs/heads/main`, `heads/main`, `origin/main` and so on. */
export function shortName(written: string, remotes: readonly string[] = USUAL_REMOTES): string {
  const local = written.replace(REF_FOLDER, "");
  const remote = remotes.find((one) => local.startsWith(`${one}/`));
  return remote === undefined || local !== written ? local : local.slice(remote.length + 1);
}
