/** A commit of the default branch, with the address of whoever committed it. */
export interface BaseCommit {
  readonly commit: string;
  readonly committer: string;
}

/** Where the default branch of the repository on this machine went since it was last followed. */
export interface FollowedBase {
  /** The commit that it was followed to before; null: this is the first look. */
  readonly since: string | null;
  /** null: there is no such branch. */
  readonly head: string | null;
  /** How many commits it had then and lacks now. */
  readonly lost: number;
  /** Its new commits along first parents, newest first; of very many only the newest. */
  readonly commits: readonly BaseCommit[];
}

/** What is there of a project's repository. */
export type SeenRepository =
  | { readonly kind: "missing"; readonly evidence: string }
  | { readonly kind: "present"; readonly base: FollowedBase };

/** What happened to the default branch without `ao`, until a person has seen it. */
export interface BaseWarning {
  readonly kind: "rewritten" | "committed";
  /** Where the branch was before. */
  readonly from: string;
  readonly head: string | null;
  /** Commits that are gone, or that came. */
  readonly count: number;
  /** Sessions whose agents made them, as far as that is known. */
  readonly sessions: readonly string[];
  readonly at: number;
}
