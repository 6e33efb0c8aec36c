import type { StoredText } from "../text.ts";

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
  /** Its branch is in another repository, to which `ao` cannot push. */
  readonly isFork: boolean;
  /** The other repository, as `owner/name`; null or absent: it was deleted, or the forge does not name it. */
  readonly forkName?: string | null;
  /** Its author lets people of this repository push to its branch. */
  readonly maintainersMayEdit?: boolean;
  /** The ref under which this repository has its commits; absent: none is known. */
  readonly ref?: string;
}

/** A pull request that a new session claims; its branch is here, at `head`. */
export interface ClaimedChange extends Pick<FoundChange, "number" | "url" | "author"> {
  readonly body: StoredText | null;
  readonly head: string;
}
