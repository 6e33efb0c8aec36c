import { useState } from "react";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import type { Review, Verdict } from "./use-review.ts";

interface Options {
  readonly pullRequest: PullRequestDetailView;
  /** The commit on screen. */
  readonly head: string;
  readonly review: Review;
}

/** Sends verdicts with the pending comments; refuses them while a newer commit has not been looked at. */
export function useVerdicts({ pullRequest, head, review }: Options) {
  const [asking, setAsking] = useState<Verdict | null>(null);
  const [moved, setMoved] = useState<Error | null>(null);
  const { give: giving, merge: merging, cancelMerge, pending } = review;

  const isMoved = (): boolean => {
    const isNew = pullRequest.head !== head;
    setMoved(isNew ? new Error(`New commit ${pullRequest.head.slice(0, 7)}, review it first.`) : null);
    return isNew;
  };
  const giveWith = async (verdict: Verdict, body?: string): Promise<void> => {
    if (giving.isPending) return;
    await giving.mutateAsync({ verdict, comments: pending, ...(body === undefined ? {} : { body }) });
    review.clearPending();
    setAsking(null);
  };
  const give = (verdict: Verdict): void => {
    if (isMoved()) return;
    // Also with pending comments: a summary has its place, and a second press of the key must not send.
    if (verdict !== "approve") setAsking(verdict);
    else void giveWith(verdict).catch(() => undefined);
  };
  const merge = (): void => {
    if (!isMoved()) merging.mutate();
  };
  const approveThenMerge = (): void => {
    if (isMoved()) return;
    giveWith("approve")
      .then(() => merging.mutateAsync())
      .catch(() => undefined);
  };
  const busy = giving.isPending ? (giving.variables?.verdict ?? null) : merging.isPending ? "merge" : null;
  return {
    asking,
    busy,
    count: pending.length,
    failure: moved ?? giving.error ?? merging.error ?? cancelMerge.error,
    give,
    giveWith,
    approveThenMerge,
    merge,
    cancelMerge: () => cancelMerge.mutate(),
    leave: () => setAsking(null),
  };
}

export type Verdicts = ReturnType<typeof useVerdicts>;
