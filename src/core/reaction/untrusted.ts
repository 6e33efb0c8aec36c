/** An agent got an untrusted person's words, because a person passed them on. */
export interface UntrustedRead {
  readonly from: string;
  readonly at: number;
  /** The session whose agent got them, if this is only based on its work; absent: its own agent did. */
  readonly via?: string;
}

/** The event is the same on sessions and on their pull requests. */
export type UntrustedEvent = { readonly type: "untrusted.read" } & Omit<UntrustedRead, "at">;

/** The mark of what is based on the work of a marked session. */
export function inheritMark({ from, via }: UntrustedRead, sessionId: string): UntrustedEvent {
  return { type: "untrusted.read", from, via: via ?? sessionId };
}

/** What an event says about its stream from now on. */
export function markOf({ type: _, ...read }: UntrustedEvent, at: number): UntrustedRead {
  return { ...read, at };
}

/** The key of what waits for a person because of who said it. */
export const UNTRUSTED_KEY = "untrusted-comment";
