/** What a person last let take effect of a file. */
export interface AcceptedFile {
  /** The text in force. */
  readonly text: string;
  /** The file in the commit that was checked out then, as object ids; `null`: it was in no commit. */
  readonly committed: string | null;
}

/** A configuration file as it is now, and what git knows about it. */
export interface FoundFile {
  readonly text: string;
  /** null: the file is in no repository. */
  readonly git: {
    /** The file, and the link that leads to it, in HEAD: their object ids; null: HEAD does not have them. */
    readonly committed: string | null;
    /** The text in HEAD; null: HEAD does not have the file. */
    readonly committedText: string | null;
    /** The same ids in the index. */
    readonly staged: string | null;
    /** Does the repository have an object with exactly this text? A person's edit has none until it is added. */
    readonly isStored: boolean;
    /** Git is changing the checkout. */
    readonly isLocked: boolean;
  } | null;
}

/**
 * unchanged: it is the text in force. own: an edit that is in no commit, so somebody at this machine made it. brought:
 * a merge, pull, checkout or clone may have brought it, so a person has to accept it. changing: git is at work, ask
 * again.
 */
export type Origin = "unchanged" | "own" | "brought" | "changing";

/** Where a text of a configuration comes from. In doubt it was brought. */
export function originOf(found: FoundFile, accepted: AcceptedFile | null): Origin {
  if (accepted !== null && accepted.text === found.text) return "unchanged";
  const { git } = found;
  if (git === null) return "own";
  if (git.isLocked) return "changing";
  // A filter can make the file differ from every object, so what HEAD has must be known as well.
  const isHeadKnown =
    git.committed === null ||
    (accepted !== null && (accepted.committed === git.committed || isSameText(accepted.text, git.committedText)));
  const isAtRest = git.staged === git.committed;
  return isHeadKnown && isAtRest && !git.isStored ? "own" : "brought";
}

/** Git may have stored other line ends. */
function isSameText(one: string, other: string | null): boolean {
  return other !== null && one.replaceAll("\r\n", "\n") === other.replaceAll("\r\n", "\n");
}
