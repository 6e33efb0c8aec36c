import type { MergeStrategy } from "../core/merge/strategy.ts";
import type { StreamId } from "../core/stream.ts";
import type { StoredText } from "../core/text.ts";
import type { ReviewBody } from "../protocol/bodies/pull-request.ts";
import type { CheckLogView } from "../protocol/views/pull-request.ts";
import type { CallContext } from "./call-context.ts";

/** The server's operations on pull requests; `key` is `<project>/<number>`. */
export interface PullRequestActions {
  textOf(text: StoredText): Promise<string>;
  /** The project that a person means by its name or current folder; null: unclear. */
  projectAt(named: string | undefined, cwd: string | undefined): Promise<string | null>;
  /** `byAgent`: the session itself asks. */
  open(
    sessionId: string,
    body: { readonly title?: string | undefined; readonly body?: string | undefined; readonly byAgent: boolean },
    context: CallContext,
  ): Promise<{ readonly key: string }>;
  review(key: string, review: ReviewBody, context: CallContext): Promise<void>;
  reply(
    key: string,
    reply: {
      readonly thread: string;
      readonly text: string;
      readonly author: string | null;
      readonly byAgent: boolean;
    },
    context: CallContext,
  ): Promise<void>;
  resolve(key: string, thread: string, resolved: boolean, context: CallContext): Promise<void>;
  label(
    key: string,
    labels: { readonly add: readonly string[]; readonly remove: readonly string[] },
    context: CallContext,
  ): Promise<void>;
  recheck(key: string, check: string | null, context: CallContext): Promise<void>;
  /** Requests the merge; with `wait` it answers when it is merged or cannot continue without a person. */
  merge(
    key: string,
    wish: { readonly strategy: MergeStrategy | null; readonly override: string | null; readonly wait: boolean },
    context: CallContext,
  ): Promise<void>;
  /** Opens a local pull request on the project's forge; answers once it is open there. */
  publish(key: string, context: CallContext): Promise<void>;
  /** Cancels a requested merge that has not started. */
  cancelMerge(key: string, context: CallContext): Promise<void>;
  /** Moves a stacked pull request to the default branch. */
  retarget(key: string, base: string, context: CallContext): Promise<void>;
  close(key: string, reason: string | null, context: CallContext): Promise<void>;
  /** Against its base, or only the changes since a review's commit. */
  diff(key: string, since: string | null): Promise<string>;
  /** The output of a check since `cursor`; null: its end. */
  checkLog(key: string, check: string, cursor: number | null): Promise<CheckLogView>;
  acknowledge(problem: { readonly stream: StreamId; readonly id: string }, context: CallContext): Promise<void>;
  /** Sends the agent the message that waits for a person. */
  passOn(problem: { readonly stream: StreamId; readonly id: string }, context: CallContext): Promise<void>;
}
