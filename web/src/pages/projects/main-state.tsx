import { useQuery } from "@tanstack/react-query";
import type { ProjectView } from "../../../../src/protocol/views/project.ts";
import { pullRequestsQuery } from "../../data/project-queries.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact, formatMoment } from "../../lib/time.ts";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Phrase } from "../../parts/untrusted.tsx";
import { describeMain, lastMerge } from "./project-state.ts";

interface Props {
  readonly project: Pick<ProjectView, "id" | "defaultBranch" | "main">;
}

const MARKS = { checking: "checks-running", green: "ready", red: "escalated", unknown: "unknown" } as const;

/** The main branch by its own checks if there are any, else as the last merge left it. */
export function MainState({ project }: Props) {
  const { main, defaultBranch } = project;
  if (main === null) return <AfterLastMerge project={project} />;
  return (
    <span className="main-state">
      <MarkShape mark={MARKS[main.state]} />
      <span className="strong">{defaultBranch}</span>
      <Phrase text={main.text} className={main.state === "red" ? "small bad" : "small ink-3"} />
    </span>
  );
}

// `ao` does not test what people push by hand, so this claims nothing else.
function AfterLastMerge({ project }: Props) {
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
