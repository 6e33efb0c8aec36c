import "../session/session-page.css";
import "./review-page.css";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { type PullRequestRef, pullRequestQuery } from "../../data/pull-request-queries.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useParam } from "../../lib/url-state.ts";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Notice } from "../../parts/notice.tsx";
import { FilePane } from "./file-pane.tsx";
import { FilesPane } from "./files-pane.tsx";
import { GeneralThreads } from "./general-threads.tsx";
import { MergeGate } from "./merge-gate.tsx";
import { ReviewHeader } from "./review-header.tsx";
import { useDiff } from "./use-diff.ts";
import { useReview } from "./use-review.ts";
import { useReviewKeys } from "./use-review-keys.ts";
import { useVerdicts } from "./use-verdicts.ts";
import { useViewed } from "./use-viewed.ts";
import { VerdictBar } from "./verdict-bar.tsx";

const CheckLog = lazy(() => import("../../parts/check-log.tsx").then((m) => ({ default: m.CheckLog })));

export function ReviewPage(ref: PullRequestRef) {
  const { data, error, refetch } = useQuery(pullRequestQuery(ref));
  if (data !== undefined) return <ReviewOf key={data.key} pullRequest={data} {...ref} />;
  return (
    <main className="page">
      <h1 className="visually-hidden">Pull request #{ref.number}</h1>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
    </main>
  );
}

function ReviewOf({ pullRequest, ...ref }: PullRequestRef & { readonly pullRequest: PullRequestDetailView }) {
  // A newer commit is shown when the reader asks for it: a verdict must be about what was read.
  const [head, setHead] = useState(pullRequest.head);
  usePageTitle(`Review #${pullRequest.number} ${pullRequest.title}`);
  const { diff, error, refetch, isEmpty, since } = useDiff(ref, head, pullRequest.reviews);
  const [path, setPath] = useParam("file");
  const [log, setLog] = useParam("log");
  const review = useReview(ref, head);
  const verdicts = useVerdicts({ pullRequest, head, review });
  const { viewed, toggle } = useViewed(pullRequest.key, diff.files);
  const file = diff.files.find((one) => one.path === path) ?? diff.files[0];
  const markViewed = (): void => {
    if (file === undefined) return;
    toggle(file);
    const next = diff.files.find((one) => one.path !== file.path && !viewed.has(one.path));
    if (!viewed.has(file.path) && next !== undefined) setPath(next.path);
  };
  useReviewKeys({ pullRequest, verdicts, review, path: file?.path ?? null, onViewed: markViewed });
  return (
    <main className="review">
      <ReviewHeader pullRequest={pullRequest} shown={head} onShow={() => setHead(pullRequest.head)} />
      <MergeGate pullRequest={pullRequest} onLog={setLog} />
      <FilesPane
        pullRequest={pullRequest}
        diff={diff}
        path={file?.path ?? null}
        onPath={setPath}
        viewed={viewed}
        pending={review.pending}
      />
      <section className="review-main" aria-label="Diff">
        {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
        {since.commit === null || !isEmpty ? null : (
          <Notice action={<Button onClick={since.toggle ?? undefined}>Show all</Button>}>
            Nothing changed in its files since {since.commit.slice(0, 7)}
          </Notice>
        )}
        <GeneralThreads pullRequest={pullRequest} review={review} />
        {file === undefined ? null : (
          <FilePane
            key={file.path}
            file={file}
            head={head}
            pullRequest={pullRequest}
            review={review}
            since={since}
            isViewed={viewed.has(file.path)}
            onViewed={markViewed}
          />
        )}
      </section>
      <VerdictBar pullRequest={pullRequest} verdicts={verdicts} />
      {log === null ? null : (
        <Suspense fallback={null}>
          <CheckLog pullRequest={pullRequest} check={log} onClose={() => setLog(null)} />
        </Suspense>
      )}
    </main>
  );
}
