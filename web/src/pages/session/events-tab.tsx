import "./events-tab.css";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { EventView } from "../../../../src/protocol/views/event.ts";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { timelineQuery } from "../../data/session-queries.ts";
import { formatClock, formatExact } from "../../lib/time.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Phrase } from "../../parts/untrusted.tsx";

interface Props {
  readonly session: SessionDetailView;
  readonly at: number | null;
}

/** Everything that happened to the session and its pull requests, with the reasons, newest last. */
export function EventsTab({ session, at }: Props) {
  const { data, error, refetch } = useQuery(timelineQuery(session.id));
  const list = useRef<HTMLOListElement>(null);
  const events = data?.data ?? [];
  const shown = at === null ? undefined : events.findLast((event) => Date.parse(event.at) <= at);
  const target = shown?.position ?? events.at(-1)?.position;
  useEffect(() => {
    list.current?.querySelector(`[data-position="${target}"]`)?.scrollIntoView({ block: "nearest" });
  }, [target]);
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && events.length === 0) return <Empty title="No events yet" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <ol className="events" ref={list} tabIndex={0} aria-label="Events">
      {events.map((event) => (
        <Row key={event.position} event={event} isShown={event.position === shown?.position} />
      ))}
    </ol>
  );
}

function Row({
  event: { position, at, text, type },
  isShown,
}: {
  readonly event: EventView;
  readonly isShown: boolean;
}) {
  return (
    <li className="events-row" data-position={position} aria-current={isShown || undefined} title={type}>
      <time dateTime={at} title={formatExact(at)}>
        {formatClock(at, { seconds: true })}
      </time>
      <span className={toneOf(type)} aria-hidden>
        ·
      </span>
      <Phrase text={text} />
    </li>
  );
}

function toneOf(type: string): string {
  if (/failed|refused|errored|unknown|vanished/.test(type)) return "bad";
  return /merged|opened|passed/.test(type) ? "good" : "ink-3";
}
