import { useQuery } from "@tanstack/react-query";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import { pullRequestsQuery } from "../../data/project-queries.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact, formatMoment } from "../../lib/time.ts";
import { MarkShape } from "../../parts/state-mark.tsx";
import { describeMain, lastMerge } from "./project-state.ts";

/** The main branch as the last merge left it. What people push by hand is not tested by `ao`, so it claims nothing else. */
export function MainState({ project }: { readonly project: Pick<ProjectView, "id" | "defaultBranch"> }) {
  const now = useNow();
  const { data } = useQuery(pullRequestsQuery(project.id));
  const merge = lastMerge(data?.data ?? []);
  if (data === undefined) return <span className="main-state" />;
  if (merge === null)
    return <span className="main-state small ink-3">{project.defaultBranch}: nothing merged yet</span>;
  const { text, isGreen } = describeMain(merge);
  return (
    <span className="main-state">
      <MarkShape mark={isGreen === true ? "ready" : isGreen === false ? "setup-failed" : "unknown"} />
      <span className="strong">{project.defaultBranch}</span>
      <span className="small ink-3" title={formatExact(merge.updatedAt)}>
        <code>{merge.mergeCommit?.slice(0, 7)}</code> #{merge.number} merged {formatMoment(merge.updatedAt, now)},{" "}
        {text}
      </span>
    </span>
  );
}
