/** Why the base is red, and what was done about it. */
export interface BrokenMain {
  readonly check: string;
  /** Where it was seen red. */
  readonly commit: string;
  /** The merge after which the check fails; `key` null: no merge by `ao`, as far as known. null: still searching. */
  readonly culprit: { readonly key: string | null; readonly commit: string } | null;
  /** The commit that reverted the culprit; null: none yet. */
  readonly revert: string | null;
  /** Why the culprit could not be reverted; null: not tried, or it was. */
  readonly failure: string | null;
  /** The task is open again and its agent has the evidence, if there is one. */
  readonly isReturned: boolean;
  readonly at: number;
}

/** What the main guard knows about the base of a project. */
export interface MainState {
  /** The commit being checked, or checked last; the next one follows when its result is known. */
  readonly watched: string | null;
  /** The newest commit on which all checks of the base passed. */
  readonly green: string | null;
  readonly broken: BrokenMain | null;
}

export const UNWATCHED: MainState = { watched: null, green: null, broken: null };
