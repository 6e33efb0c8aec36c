/** What a session builds on: the branch of another session that is not merged yet. */
export interface StackedOn {
  readonly sessionId: string;
  readonly branch: string;
  /** Pull requests of that branch up to this number had ended before; absent: there were none. */
  readonly after?: number;
}

/** What a pull request is stacked on, as last seen. */
export interface Parent extends StackedOn {
  /** null: it has no pull request yet. */
  readonly number: number | null;
  /** Its newest commit, which is the base of the stacked pull request; null: not read yet. */
  readonly head: string | null;
  /** Why it will not be merged by itself, and what a person can do; absent: it may be. */
  readonly gone?: string;
}

/** A merged pull request that a branch was stacked on, and the commit that was merged. */
export interface Landed extends StackedOn {
  readonly number: number;
  readonly head: string;
}

/** The parent's name for people: `#7`, or its session until it has a pull request. */
export function nameParent({ number, sessionId }: Pick<Parent, "number" | "sessionId">): string {
  return number === null ? sessionId : `#${number}`;
}
