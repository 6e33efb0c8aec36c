import { useQuery } from "@tanstack/react-query";
import type { ResolvedView } from "../../../../src/protocol/views/inbox.ts";
import { resolvedQuery } from "../../data/fleet-queries.ts";
import { toSentence } from "../../lib/need-text.ts";
import { needOf } from "../../lib/state-of.ts";
import { formatClock, formatSpan } from "../../lib/time.ts";
import { useProject } from "../../lib/url-state.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { pullRequestPath, sessionPath } from "../fleet/need-buttons.ts";
import { InboxTabs } from "./inbox-list.tsx";

/** What needed a person in the last day and is resolved: how, by whom, and how long it had waited. */
export function Resolved() {
  const project = useProject();
  const { data, error, refetch } = useQuery(resolvedQuery());
  const shown = data?.data.filter(({ projectId }) => project === null || projectId === project);
  return (
    <main className="inbox inbox-resolved">
      <h1 className="visually-hidden">Inbox</h1>
      <InboxTabs show="resolved" count={shown?.length ?? 0} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <ol aria-label="Resolved">
        {(shown ?? []).map((need) => (
          <Row key={need.id} need={need} />
        ))}
      </ol>
      {shown?.length === 0 ? <Empty title="Nothing was resolved in the last 24 hours" /> : null}
    </main>
  );
}

function Row({ need }: { readonly need: ResolvedView }) {
  const { kind, sessionId, pullRequest, title, text, how, by, at, resolvedAt } = need;
  const { mark, label } = needOf(kind);
  const waited = formatSpan(Date.parse(resolvedAt) - Date.parse(at));
  const href = sessionId === null ? pullRequestPath(pullRequest ?? "") : `${sessionPath(sessionId)}?tab=events`;
  return (
    <li>
      <PageLink href={href} className="inbox-entry">
        <MarkShape mark={mark} />
        <span className="strong">{label}</span>
        <span className="small ink-3">
          {formatClock(resolvedAt)}, waited {waited}
        </span>
        <Phrase text={toSentence(text)} className="inbox-need" />
        <span className="inbox-about">
          <Untrusted text={sessionId ?? pullRequest ?? ""} className="mono" />
          <Untrusted text={title} />
          <Phrase text={[how, by === null ? "" : `by ${by}`].filter(Boolean).join(", ")} className="ink-2" />
        </span>
      </PageLink>
    </li>
  );
}
