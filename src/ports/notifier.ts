import type { NoticeFacts } from "../core/notice/notice.ts";

/** Something a person should know. */
export interface Notice extends NoticeFacts {
  readonly title: string;
  readonly text: string;
  readonly projectId: string | null;
  readonly sessionId: string | null;
  /** What it is about: a reaction key such as `ci-failed`. */
  readonly key: string;
  /** The command that resolves it. */
  readonly act: string | null;
}

/** Notifies a person outside the dashboard. */
export interface Notifier {
  /**
   * Sends the notices as one notification; an empty list sends nothing. Rejects with PluginError if it was not sent, or
   * (`timeout`, `unknown-outcome`) if that is unknown; the category says whether to retry.
   */
  send(notices: readonly Notice[]): Promise<void>;
  /** Can it work here? If not, one sentence why (no display, no URL). Sends nothing. */
  preflight(): Promise<{ readonly ok: boolean; readonly reason: string | null }>;
}
