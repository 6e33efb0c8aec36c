import { queryOptions, useQuery } from "@tanstack/react-query";
import type { InboxView } from "../../../../src/protocol/views/inbox.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { call } from "../../data/call.ts";
import { pullRequestRef } from "../../data/pull-request-queries.ts";
import { formatClock, formatExact } from "../../lib/time.ts";
import { Failure } from "../../parts/failure-notice.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Phrase, UntrustedBlock } from "../../parts/untrusted.tsx";
import { markOfEvent } from "../fleet/mark-of-event.ts";

const SHOWN = 12;

const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id, "timeline"],
    queryFn: ({ signal }) => call("GET /api/sessions/:id/timeline", { params: { id }, signal }),
  });

const pullRequestQuery = (key: string) => {
  const params = { ...pullRequestRef(key) };
  return queryOptions({
    queryKey: ["pull-request", key, "detail"],
    queryFn: ({ signal }) => call("GET /api/pull-requests/:project/:number", { params, signal }),
  });
};

interface Props {
  readonly entry: InboxView;
  readonly session: SessionView | null;
}

/** What happened before it needed a person, and the end of the failed check's log. */
export function Evidence({ entry, session }: Props) {
  return (
    <>
      {session === null ? null : <Tried id={session.id} />}
      {entry.pullRequest === null || !entry.kind.startsWith("ci-failed") ? null : (
        <LogEnd pullRequest={entry.pullRequest} check={entry.kind.split(":")[1] ?? ""} />
      )}
    </>
  );
}

function Tried({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(timelineQuery(id));
  const events = (data?.data ?? []).flatMap((event) => {
    const mark = markOfEvent(event);
    return mark === null ? [] : [{ ...event, mark }];
  });
  return (
    <section>
      <h3 className="strong">What happened</h3>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <ol className="inbox-events">
        {events.slice(-SHOWN).map(({ position, at, text, mark }) => (
          <li key={position}>
            <time dateTime={at} title={formatExact(at)} className="small ink-3">
              {formatClock(at)}
            </time>
            <MarkShape mark={mark} />
            <Phrase text={text} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function LogEnd({ pullRequest, check }: { readonly pullRequest: string; readonly check: string }) {
  const { data, error, refetch } = useQuery(pullRequestQuery(pullRequest));
  const log = data?.logs[check];
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined || log === undefined) return null;
  return (
    <section>
      <h3 className="strong">
        End of log{" "}
        <span className="small ink-3">
          {check} on {data.head.slice(0, 7)}
        </span>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="inbox-log" tabIndex={0}>
        <UntrustedBlock text={log} />
      </pre>
    </section>
  );
}
