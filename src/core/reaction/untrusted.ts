/** An agent got an untrusted person's words, because a person passed them on. */
export interface UntrustedRead {
  readonly from: string;
  readonly at: number;
}

/** The event is the same on sessions and on their pull requests. */
export type UntrustedEvent = { readonly type: "untrusted.read"; readonly from: string };

/** The key of what waits for a person because of who said it. */
export const UNTRUSTED_KEY = "untrusted-comment";
