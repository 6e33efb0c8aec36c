import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { call } from "../../data/call.ts";
import { type PullRequestRef, pullRequestQuery } from "../../data/pull-request-queries.ts";
import { keepPending, type PendingComment, readPending } from "./pending-comments.ts";

export type Verdict = "approve" | "request-changes" | "comment";

interface Given {
  readonly verdict: Verdict;
  readonly body?: string;
  readonly comments?: readonly Pick<PendingComment, "path" | "line" | "text">[];
}

/** A person's actions on a pull request. Every verdict carries the commit on screen. */
export function useReview(ref: PullRequestRef, head: string) {
  const params = { ...ref };
  const queries = useQueryClient();
  const onSuccess = (answer: PullRequestDetailView): void => {
    queries.setQueryData(pullRequestQuery(ref).queryKey, answer);
  };
  const give = useMutation({
    mutationFn: ({ verdict, body, comments = [] }: Given) =>
      call("POST /api/pull-requests/:project/:number/review", {
        params,
        input: {
          verdict,
          head,
          ...(body === undefined || body === "" ? {} : { body }),
          ...(comments.length === 0
            ? {}
            : { comments: comments.map(({ path, line, text }) => ({ path, line, text })) }),
        },
      }),
    onSuccess,
  });
  const merge = useMutation({
    mutationFn: () => call("POST /api/pull-requests/:project/:number/merge", { params, input: {} }),
    onSuccess,
  });
  const cancelMerge = useMutation({
    mutationFn: () => call("DELETE /api/pull-requests/:project/:number/merge", { params }),
    onSuccess,
  });
  const reply = useMutation({
    mutationFn: ({ thread, text }: { readonly thread: string; readonly text: string }) =>
      call("POST /api/pull-requests/:project/:number/threads/:thread/reply", {
        params: { ...params, thread },
        input: { text },
      }),
    onSuccess,
  });
  const resolve = useMutation({
    mutationFn: ({ thread, resolved }: { readonly thread: string; readonly resolved: boolean }) =>
      call("POST /api/pull-requests/:project/:number/threads/:thread/resolve", {
        params: { ...params, thread },
        input: { resolved },
      }),
    onSuccess,
  });
  return { give, merge, cancelMerge, reply, resolve, ...usePending(`${ref.project}/${ref.number}`) };
}

export type Review = ReturnType<typeof useReview>;

function usePending(key: string) {
  const [pending, setPending] = useState(() => readPending(key));
  const change = (comments: readonly PendingComment[]): void => {
    keepPending(key, comments);
    setPending(comments);
  };
  return {
    pending,
    addPending: (comment: Omit<PendingComment, "id">) => change([...pending, { ...comment, id: crypto.randomUUID() }]),
    removePending: (id: string) => change(pending.filter((comment) => comment.id !== id)),
    clearPending: () => change([]),
  };
}
