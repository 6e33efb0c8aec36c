import { useLocation } from "wouter";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { useHref } from "../../lib/url-state.ts";
import type { Review } from "./use-review.ts";
import type { Verdicts } from "./use-verdicts.ts";

interface Options {
  readonly pullRequest: PullRequestDetailView;
  readonly verdicts: Verdicts;
  readonly review: Review;
  /** The file on screen. */
  readonly path: string | null;
  readonly onViewed: () => void;
}

/** The single keys of the review page. */
export function useReviewKeys({ pullRequest, verdicts, review, path, onViewed }: Options): void {
  const [, navigate] = useLocation();
  const href = useHref();
  const { sessionId, phase } = pullRequest;
  // Keys pressed while the page still loads must not approve or merge something unseen.
  const whileOpen = (act: () => void) => () => (phase === "open" && path !== null ? act() : false);
  useShortcuts({
    viewed: onViewed,
    resolve: () => {
      const thread = pullRequest.threads.find((one) => one.resolvedBy === null && (one.path ?? path) === path);
      return thread === undefined ? false : review.resolve.mutate({ thread: thread.id, resolved: true });
    },
    approve: whileOpen(() => verdicts.give("approve")),
    "request-changes": whileOpen(() => verdicts.give("request-changes")),
    "approve-merge": whileOpen(verdicts.approveThenMerge),
    merge: whileOpen(verdicts.merge),
    terminal: () => (sessionId === null ? false : navigate(href(`/s/${encodeURIComponent(sessionId)}`))),
  });
}
