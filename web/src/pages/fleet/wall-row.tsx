import { memo, useMemo } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import type { ActivityById } from "../../data/fleet-queries.ts";
import type { StripActivity, StripFrame } from "../../lib/strip-geometry.ts";
import { PageLink } from "../../parts/page-link.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { LiveMark } from "./live-mark.tsx";
import { sessionPath } from "./need-buttons.ts";

interface Props {
  readonly sessions: readonly SessionView[];
  readonly activity: ActivityById | undefined;
  readonly frame: StripFrame;
  readonly columns: number;
  readonly selected: string | null;
}

const STRIP_WIDTH = 56;
const WALL_MS = 3_600_000;

/** A line of the wall: working sessions in small cells with their last hour. */
export function WallRow({ sessions, activity, frame, columns, selected }: Props) {
  const { to } = frame;
  const lastHour = useMemo(() => ({ from: to - WALL_MS, to, width: STRIP_WIDTH }), [to]);
  return (
    <div className="wall" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {sessions.map((session) => (
        <WallCell
          key={session.id}
          session={session}
          activity={activity?.get(session.id)}
          frame={lastHour}
          isSelected={session.id === selected}
        />
      ))}
    </div>
  );
}

interface CellProps {
  readonly session: SessionView;
  readonly activity: StripActivity | undefined;
  readonly frame: StripFrame;
  readonly isSelected: boolean;
}

const WallCell = memo(function WallCell({ session, activity, frame, isSelected }: CellProps) {
  return (
    <PageLink href={sessionPath(session.id)} className="wall-cell" data-selected={isSelected || undefined}>
      <LiveMark session={session} />
      <Untrusted text={session.id} className="mono ink-2 from-end" />
      <Phrase text={session.activity ?? session.evidence} className="row-evidence small ink-2" />
      <Strip activity={activity} frame={frame} />
    </PageLink>
  );
});
