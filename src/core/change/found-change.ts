import type { StoredText } from "../text.ts";

/** A branch of another repository of the same forge. */
export interface ForkBranch {
  /** As its forge names it: `bob/demo`. */
  readonly repository: string;
  readonly branch: string;
}

/** A pull request as its forge shows it to somebody who wants to claim it. */
export interface FoundChange {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly branch: string;
  readonly base: string;
  readonly state: "open" | "merged" | "closed";
  /** Its branch is in another repository. */
  readonly isFork: boolean;
  /** The other repository, as `owner/name`; null or absent: deleted, or not reported. */
  readonly forkName?: string | null;
  /** Its author allows maintainers of this repository to push to its branch. */
  readonly maintainersMayEdit?: boolean;
  /** The ref in this repository with its commits; absent: unknown. */
  readonly ref?: string;
  /** May its author write to this repository? Absent: yes, the branch is in it. */
  readonly authorAccess?: "write" | "none";
}

/** A pull request that a new session claims; its branch is here, at `head`. */
export interface ClaimedChange extends Pick<FoundChange, "number" | "url" | "author" | "authorAccess"> {
  readonly body: StoredText | null;
  readonly head: string;
  /** Where its commits are pushed to; absent: to the branch of the same name. */
  readonly fork?: ForkBranch;
}
