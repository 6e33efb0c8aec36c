import "./finished.css";
import { useQuery } from "@tanstack/react-query";
import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { formatCost } from "../../lib/cost.ts";
import { formatClock, formatExact } from "../../lib/time.ts";
import { CheckMarks } from "../../parts/check-marks.tsx";
import { LineCounts } from "../../parts/line-counts.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { pullRequestPath } from "./need-buttons.ts";

/** The fleet when nothing is left to do: what was merged today, and its cost. */
export function Finished({ merged }: { readonly merged: readonly PullRequestView[] }) {
  const cost = useQuery(sessionsQuery()).data?.fleet.costToday;
  return (
    <section className="finished" aria-label="Merged today">
      <h2 className="finished-title">Everything is merged</h2>
      <p className="ink-2">
        {describeMerged(merged)}
        {cost === undefined ? "" : `, ${formatCost(cost)} today`}. Start the next one with New session.
      </p>
      <ol>
        {merged.map((pullRequest) => (
          <li key={pullRequest.key}>
            <StateMark of={pullRequest} />
            <PageLink href={pullRequestPath(pullRequest.key)} className="mono ink-2">
              #{pullRequest.number}
            </PageLink>
            <Untrusted text={pullRequest.title} className="finished-what" />
            {pullRequest.lines === null ? null : <LineCounts {...pullRequest.lines} />}
            <CheckMarks checks={pullRequest.checks} />
            <time className="small ink-3" dateTime={pullRequest.updatedAt} title={formatExact(pullRequest.updatedAt)}>
              {formatClock(pullRequest.updatedAt)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** "5 pull requests merged today, +240 −12 lines". */
export function describeMerged(merged: readonly Pick<PullRequestView, "lines">[]): string {
  const counted = merged.flatMap(({ lines }) => lines ?? []);
  const sum = (side: "added" | "removed"): number => counted.reduce((total, lines) => total + lines[side], 0);
  const count = merged.length === 1 ? "1 pull request" : `${merged.length} pull requests`;
  return `${count} merged today${counted.length === 0 ? "" : `, +${sum("added")} −${sum("removed")} lines`}`;
}
