import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { issuesQuery } from "../../data/project-queries.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { describeIssue, listIssues } from "../../lib/issues.ts";
import { Failure } from "../../parts/failure-notice.tsx";
import { TrackerProblems } from "../../parts/tracker-problems.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";

interface Props {
  readonly project: string;
  readonly chosen: readonly string[];
  readonly onChange: (issues: readonly string[]) => void;
}

/** Open issues of a project's tracker, to pick from. */
export function IssuePicker({ project, chosen, onChange }: Props) {
  const [search, setSearch] = useState("");
  const { data, error, refetch } = useQuery(issuesQuery(project));
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  const all = data?.data ?? [];
  const own = sessions.filter(({ projectId }) => projectId === project);
  const toggle = (id: string): void =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <fieldset className="issue-picker">
      <legend className="field-label">
        Open issues of {project} {all.length}
      </legend>
      {all.length === 0 ? null : (
        <input
          className="input"
          type="search"
          aria-label="Search issues"
          placeholder="Search issues"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul className="issue-list">
        {listIssues(all, own, search).map((one) => (
          <li key={one.issue.id}>
            <label className="issue-row">
              <input
                type="checkbox"
                checked={chosen.includes(one.issue.id)}
                disabled={one.takenBy !== null}
                onChange={() => toggle(one.issue.id)}
              />
              <code className="ink-3">{one.issue.id}</code>
              <Untrusted text={one.issue.title} />
              <span className="small ink-3 one-line">{describeIssue(one)}</span>
            </label>
          </li>
        ))}
      </ul>
      <TrackerProblems problems={data?.problems} />
    </fieldset>
  );
}
