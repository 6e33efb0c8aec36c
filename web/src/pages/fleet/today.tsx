import "./today.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { positionQuery } from "../../data/queries.ts";
import { eventsQuery } from "../../data/recent-events.ts";
import { useNow } from "../../lib/now.ts";
import { formatClock, formatExact, isToday } from "../../lib/time.ts";
import { useProject } from "../../lib/url-state.ts";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Phrase } from "../../parts/untrusted.tsx";
import { lineOf, markOfEvent } from "./mark-of-event.ts";

const SHOWN = 30;
const GATHER_MS = 400;

/** What happened today, newest first. */
export function Today() {
  const project = useProject();
  const position = useQuery(positionQuery()).data ?? 0;
  const queries = useQueryClient();
  const { data = [] } = useQuery(eventsQuery(position));
  const hour = useNow((now) => Math.floor(now / 3_600_000));
  // Each event moves the log position; a burst of events is read once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position says that there is something to read
  useEffect(() => {
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ["events"] }), GATHER_MS);
    return () => clearTimeout(timer);
  }, [queries, position]);
  const events = data
    .filter(({ at }) => isToday(at, Math.max(Date.now(), hour * 3_600_000)))
    .flatMap((event) => {
      const mark = markOfEvent(event);
      return mark === null ? [] : [{ ...event, mark }];
    })
    .slice(0, SHOWN);
  return (
    <aside className="today" aria-label="Today">
      <h2 className="strong">Today{project === null ? "" : ` in ${project}`}</h2>
      <ol>
        {events.map(({ position: key, at, mark, ...event }) => (
          <li key={key}>
            <time dateTime={at} title={formatExact(at)} className="small ink-3">
              {formatClock(at)}
            </time>
            <MarkShape mark={mark} />
            <Phrase text={lineOf(event)} className="ink-2" />
          </li>
        ))}
      </ol>
    </aside>
  );
}
