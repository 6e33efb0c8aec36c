import { useQuery } from "@tanstack/react-query";
import { checkHistoryQuery } from "../../data/project-queries.ts";
import { formatExact } from "../../lib/time.ts";
import { Empty } from "../../parts/empty.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { describeRuns, heightsOf, kindOfRun } from "./check-history.ts";

/** The last runs of each check over all pull requests, marking those that failed and passed on the same commit. */
export function ChecksPanel({ project }: { readonly project: string }) {
  const { data, error, refetch } = useQuery(checkHistoryQuery(project));
  return (
    <Panel
      title="Checks"
      note="last runs, all pull requests; height is duration"
      error={error}
      onRetry={() => void refetch()}
    >
      {data?.data.length === 0 ? <Empty title="No check has run yet" /> : null}
      {data?.data.map(({ check, runs }) => {
        const heights = heightsOf(runs);
        const summary = describeRuns(runs);
        return (
          <div key={check} className="check-history">
            <Untrusted text={check} className="strong" />
            <span className="check-runs" role="img" aria-label={`${runs.length} runs: ${summary}`}>
              {runs.map((run, index) => (
                <span
                  key={`${run.head}/${run.attempt}/${run.at}`}
                  className={`check-run check-run-${kindOfRun(run)}`}
                  style={{ height: `${heights[index]}%` }}
                  title={`${run.pullRequest} ${run.state}, ${formatExact(run.at)}`}
                />
              ))}
            </span>
            <span className="small ink-3">{summary}</span>
          </div>
        );
      })}
    </Panel>
  );
}
