import type { NoticeFacts } from "../core/notice/notice.ts";

/** Something that a person should know. */
export interface Notice extends NoticeFacts {
  readonly title: string;
  readonly text: string;
  readonly projectId: string | null;
  readonly sessionId: string | null;
  /** What it is about: a reaction key such as `ci-failed`. */
  readonly key: string;
  /** The command that deals with it. */
  readonly act: string | null;
}

/** Tells a person outside of the dashboard. */
export interface Notifier {
  /**
   * Sends one or several notices as one notification; none is fine and sends nothing. Rejects with PluginError when it
   * was not sent, or (`timeout`, `unknown-outcome`) when nobody knows; the category says whether to try again.
   */
  send(notices: readonly Notice[]): Promise<void>;
  /** Can it work here? One sentence when it cannot (no display, no URL). Sends nothing. */
  preflight(): Promise<{ readonly ok: boolean; readonly reason: string | null }>;
}
