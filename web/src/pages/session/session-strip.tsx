import "./session-strip.css";
import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useState } from "react";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { activityQuery } from "../../data/fleet-queries.ts";
import { axisTicks } from "../../lib/axis.ts";
import { useNow } from "../../lib/now.ts";
import { labelsOf, placeLabels } from "../../lib/strip-labels.ts";
import { formatAge, formatClock } from "../../lib/time.ts";
import { useWidth } from "../../lib/use-width.ts";
import { Strip } from "../../parts/strip.tsx";

const HOUR_MS = 3_600_000;
/** How often the strip is redrawn; a second is less than a pixel. */
const STEP_MS = 10_000;

interface Props {
  readonly session: SessionDetailView;
  /** Shows the clicked moment. */
  readonly onMoment: (at: number) => void;
}

/** The session's activity since its task, over the full width, with labeled moments. */
export function SessionStrip({ session, onMoment }: Props) {
  const now = Math.ceil(useNow() / STEP_MS) * STEP_MS;
  const from = Date.parse(session.createdAt);
  const [hours] = useState(() => Math.max(1, Math.ceil((now - from) / HOUR_MS)));
  const { data } = useQuery(activityQuery(hours));
  const [ref, width] = useWidth(1200);
  const activity = data?.get(session.id);
  if (activity === undefined) return null;
  const frame = { from, to: Math.max(now, from + 60_000), width };
  const onClick = (event: MouseEvent<HTMLButtonElement>): void => {
    const { left, width: shown } = event.currentTarget.getBoundingClientRect();
    onMoment(Math.round(from + ((event.clientX - left) / shown) * (frame.to - from)));
  };
  const open = activity.agent.at(-1);
  return (
    <div className="session-strip">
      <div className="session-strip-body" ref={ref}>
        {placeLabels(labelsOf(session), frame).map(({ at, text, tone, x, isBefore }) => (
          <span
            key={`${at} ${text}`}
            className={`session-strip-label ${tone} ${isBefore ? "session-strip-before" : ""}`}
            style={{ left: x }}
          >
            {text}
          </span>
        ))}
        <button type="button" className="session-strip-track" aria-label="Show a moment" onClick={onClick}>
          <Strip activity={activity} frame={frame} />
        </button>
        {open?.to === null ? (
          <span className={`session-strip-now ${open.kind === "question" ? "you" : "ink-3"}`}>
            {formatAge(open.from, now)}
          </span>
        ) : null}
        <span className="session-strip-time">{formatClock(from)}</span>
        {axisTicks(from, frame.to)
          .filter(({ at }) => at * width > 60)
          .map(({ at, time }) => (
            <span key={time} className="session-strip-time" style={{ left: at * width }}>
              {formatClock(time)}
            </span>
          ))}
      </div>
    </div>
  );
}
