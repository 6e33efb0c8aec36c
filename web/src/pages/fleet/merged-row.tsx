import { memo } from "react";
import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { StripActivity, StripFrame } from "../../lib/strip-geometry.ts";
import { formatClock, formatExact } from "../../lib/time.ts";
import { CheckMarks } from "../../parts/check-marks.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { pullRequestPath, sessionPath } from "./need-buttons.ts";

interface Props {
  readonly pullRequest: PullRequestView;
  readonly activity: StripActivity | undefined;
  readonly frame: StripFrame;
}

/** A pull request that was merged today. */
export const MergedRow = memo(function MergedRow({ pullRequest, activity, frame }: Props) {
  const { sessionId, title, evidence, number, key, checks, updatedAt } = pullRequest;
  return (
    <div className="row">
      <span className="row-mark">
        <StateMark of={pullRequest} />
      </span>
      <PageLink href={sessionId === null ? pullRequestPath(key) : sessionPath(sessionId)} className="row-link">
        <Untrusted text={sessionId ?? ""} className="row-id mono ink-2 from-end" />
        <Untrusted text={title} className="row-title" />
      </PageLink>
      <Phrase text={evidence} className="row-evidence small ink-2" />
      <span className="row-pr mono ink-2">
        <PageLink href={pullRequestPath(key)}>#{number}</PageLink>
      </span>
      <span className="row-checks">
        <CheckMarks checks={checks} />
      </span>
      <Strip activity={activity} frame={frame} />
      <time className="row-age small ink-3" dateTime={updatedAt} title={formatExact(updatedAt)}>
        {formatClock(updatedAt)}
      </time>
    </div>
  );
});
