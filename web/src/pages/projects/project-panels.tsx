import { useQuery } from "@tanstack/react-query";
import { sortSessions } from "../../../../src/protocol/fleet-order.ts";
import { issuesQuery, pullRequestsQuery } from "../../data/project-queries.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { describeIssue, listIssues } from "../../lib/issues.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact, formatMoment } from "../../lib/time.ts";
import { CheckMarks } from "../../parts/check-marks.tsx";
import { Empty } from "../../parts/empty.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Panel } from "../../parts/panel.tsx";
import { MarkShape, StateMark } from "../../parts/state-mark.tsx";
import { TrackerProblems } from "../../parts/tracker-problems.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { pullRequestPath, sessionPath } from "../fleet/need-buttons.ts";
import { newestFirst } from "./project-state.ts";

const MOST_MERGED = 10;

interface Props {
  readonly project: string;
}

/** Open pull requests, then the newest merged ones. */
export function PullRequestsPanel({ project }: Props) {
  const now = useNow();
  const { data, error, refetch } = useQuery(pullRequestsQuery(project));
  const all = newestFirst(data?.data ?? []);
  const open = all.filter(({ phase }) => phase === "open");
  const merged = all.filter(({ phase }) => phase === "merged");
  const shown = [...open, ...merged.slice(0, MOST_MERGED)];
  return (
    <Panel
      title="Pull requests"
      note={`${open.length} open, ${merged.length} merged`}
      error={error}
      onRetry={() => void refetch()}
    >
      {data !== undefined && shown.length === 0 ? <Empty title="No pull request yet" /> : null}
      <ul className="project-items">
        {shown.map((pullRequest) => (
          <li key={pullRequest.key}>
            <StateMark of={pullRequest} />
            <PageLink href={pullRequestPath(pullRequest.key)} className="link mono">
              #{pullRequest.number}
            </PageLink>
            <span className="one-line">
              <Untrusted text={pullRequest.title} /> <Phrase text={pullRequest.evidence} className="small ink-3" />
            </span>
            <CheckMarks checks={pullRequest.checks} />
            <span className="small ink-3 project-time" title={formatExact(pullRequest.updatedAt)}>
              {formatMoment(pullRequest.updatedAt, now)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The open issues of its tracker, with their dependencies. */
export function IssuesPanel({ project }: Props) {
  const { data, error, refetch } = useQuery(issuesQuery(project));
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  const own = sessions.filter(({ projectId }) => projectId === project);
  const issues = listIssues(data?.data ?? [], own);
  return (
    <Panel title="Open issues" note={issues.length} error={error} onRetry={() => void refetch()}>
      {data !== undefined && issues.length === 0 ? (
        <Empty title="No open issue">
          <code>ao issue new "TITLE"</code> makes one.
        </Empty>
      ) : null}
      <ul className="project-items">
        {issues.map((one) => (
          <li key={one.issue.id}>
            <MarkShape mark={one.takenBy === null ? "queued" : "working"} />
            <code className="ink-3">{one.issue.id}</code>
            <Untrusted text={one.issue.title} />
            <span className={one.blockedBy.length > 0 ? "small you" : "small ink-3"}>{describeIssue(one)}</span>
          </li>
        ))}
      </ul>
      <TrackerProblems problems={data?.problems} />
    </Panel>
  );
}

export function SessionsPanel({ project }: Props) {
  const { data } = useQuery(sessionsQuery());
  const own = sortSessions((data?.data ?? []).filter(({ projectId }) => projectId === project));
  return (
    <Panel title="Sessions" note={own.length}>
      {own.length === 0 ? <Empty title="No open session" /> : null}
      <ul className="project-items project-sessions">
        {own.map((session) => (
          <li key={session.id}>
            <StateMark of={session} />
            <PageLink href={sessionPath(session.id)} className="link one-line">
              <Untrusted text={session.id} className="project-session mono from-end" />
            </PageLink>
            <Untrusted text={session.title} />
            <Phrase text={session.evidence} className="small ink-3" />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
