import type { StoredText } from "../text.ts";

/** A branch in another repository on the same forge. */
export interface ForkBranch {
  /** The forge's name for it: `bob/demo`. */
  readonly repository: string;
  readonly branch: string;
}

/** A pull request as its forge shows it to someone who wants to claim it. */
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
  /** Does its author have write access to this repository? Absent: yes, the branch is in it. */
  readonly authorAccess?: "write" | "none";
}

/** A pull request that a new session claims; its branch is here, at `head`. */
export interface ClaimedChange extends Pick<FoundChange, "number" | "url" | "author" | "authorAccess"> {
  readonly body: StoredText | null;
  readonly head: string;
  /** Where to push its commits; absent: to the branch with the same name. */
  readonly fork?: ForkBranch;
}
