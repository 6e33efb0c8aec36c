import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { type PullRequestRef, pullRequestDiffQuery } from "../../data/pull-request-queries.ts";
import { useParam } from "../../lib/url-state.ts";
import { inTreeOrder } from "../../parts/diff/group-by-folder.ts";
import { parseDiff } from "../../parts/diff/parse-diff.ts";
import { lastReviewed, onlyIn } from "./since-review.ts";

/** The files of a pull request at the commit on screen: all changes, or only those since a review. */
export function useDiff(ref: PullRequestRef, head: string, reviews: PullRequestDetailView["reviews"]) {
  const [since, setSince] = useParam("since");
  const whole = useQuery(pullRequestDiffQuery(ref, head));
  const part = useQuery({ ...pullRequestDiffQuery(ref, head, since), enabled: since !== null });
  const { error, refetch } = since === null ? whole : part;
  const wholeText = whole.data?.diff ?? "";
  const partText = part.data?.diff ?? "";
  const diff = useMemo(() => {
    const all = inTreeOrder(parseDiff(wholeText));
    return since === null ? all : onlyIn(inTreeOrder(parseDiff(partText)), all);
  }, [since, wholeText, partText]);
  const reviewed = lastReviewed(reviews, head);
  const toggle = since === null && reviewed === null ? null : () => setSince(since === null ? reviewed : null);
  return {
    diff,
    error,
    refetch,
    isEmpty: part.data !== undefined && diff.files.length === 0,
    since: { commit: since, toggle },
  };
}

export type Since = ReturnType<typeof useDiff>["since"];
