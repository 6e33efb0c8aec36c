import "./roomy.css";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { axisTicks, hoursOf } from "../../lib/axis.ts";
import type { StripFrame } from "../../lib/strip-geometry.ts";
import { formatClock } from "../../lib/time.ts";
import { useParam } from "../../lib/url-state.ts";
import { useWidth } from "../../lib/use-width.ts";
import { Finished } from "./finished.tsx";
import type { SessionGroup } from "./group-sessions.ts";
import { foldNeeds } from "./list-items.ts";
import { SessionBlock } from "./session-block.tsx";
import { Today } from "./today.tsx";
import { useAxis } from "./use-axis.ts";
import type { Fleet } from "./use-fleet.ts";
import { useFleetKeys } from "./use-fleet-keys.ts";
import { useHeldNeeds } from "./use-held-needs.ts";

const HOUR = 3_600_000;

interface Props {
  readonly fleet: Fleet;
  readonly isNarrow: boolean;
}

/** A few sessions, each with a full-width strip and its story at the right. In a narrow window, any number of them. */
export function Roomy({ fleet, isNarrow }: Props) {
  const [measured, measure] = useWidth(isNarrow ? 390 : 1020);
  const width = Math.max(0, measure - (isNarrow ? 32 : 76));
  const { frame, ref } = useAxis(hoursSince(fleet), width);
  const [selected, setSelected] = useParam("sel");
  const held = useHeldNeeds(fleet.groups);
  const sessions = useMemo(() => held.groups.flatMap((group) => group.sessions), [held.groups]);
  const select = useCallback((id: string | null) => setSelected(id, { replace: true }), [setSelected]);
  const filterField = useRef<HTMLInputElement>(null);
  const ids = sessions.map(({ id }) => id);
  const keys = useFleetKeys({ sessions: fleet.sessions ?? [], ids, selected, select, filterField });
  return (
    <div ref={ref} className="roomy">
      <div ref={measured} className="roomy-blocks" {...held.listeners}>
        {isNarrow ? null : <RoomyAxis frame={frame} />}
        {held.waiting === 0 ? null : (
          <button type="button" className="text-button you" onClick={held.release}>
            {held.waiting} new
          </button>
        )}
        {held.groups.length > 0 ? null : <Nothing fleet={fleet} />}
        {held.groups.map((group) => (
          <Group key={group.key} group={group} isFolded={isNarrow && group.key !== "needs-you"}>
            {(session) => (
              <SessionBlock
                key={session.id}
                session={session}
                activity={fleet.activity?.get(session.id)}
                frame={frame}
                isNarrow={isNarrow}
                isSelected={session.id === selected}
                isWriting={keys.writing === session.id}
                onSelect={select}
                onWrite={keys.setWriting}
              />
            )}
          </Group>
        ))}
      </div>
      {isNarrow ? null : <Today />}
    </div>
  );
}

function Nothing({ fleet }: { readonly fleet: Fleet }) {
  if (fleet.filter !== "") return <p className="list-nothing ink-3">No session matches this filter.</p>;
  if (fleet.merged.length > 0) return <Finished merged={fleet.merged} />;
  return <p className="list-nothing ink-3">No session is running. Start one with New session.</p>;
}

interface GroupProps {
  readonly group: SessionGroup;
  /** Only the summary at first. */
  readonly isFolded: boolean;
  readonly children: (session: SessionView) => ReactNode;
}

function Group({ group, isFolded, children }: GroupProps) {
  const [isOpen, setOpen] = useState(!isFolded);
  const [isWhole, setWhole] = useState(isFolded);
  const shown = isWhole ? group.sessions : foldNeeds(group.sessions, null);
  return (
    <>
      {isFolded ? (
        <button type="button" className="roomy-group" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className="strong">{group.title}</span> {group.sessions.length}{" "}
          <span className="ink-3">{group.summary}</span>
        </button>
      ) : null}
      {isOpen || !isFolded ? shown.map(children) : null}
      {shown.length === group.sessions.length ? null : (
        <button type="button" className="roomy-group" onClick={() => setWhole(true)}>
          and {group.sessions.length - shown.length} more
        </button>
      )}
    </>
  );
}

function RoomyAxis({ frame }: { readonly frame: StripFrame }) {
  const { from, to, width } = frame;
  return (
    <div className="roomy-axis micro ink-3" aria-hidden="true">
      <span className="axis" style={{ width }}>
        {axisTicks(from, to).map(({ at, time }) => (
          <span key={time} className="axis-label micro ink-3" style={{ left: at * width }}>
            {formatClock(time)}
          </span>
        ))}
        <span className="axis-label axis-now micro">{formatClock(to)}</span>
      </span>
    </div>
  );
}

/** The axis starts before the first session, within the chosen window. */
function hoursSince({ sessions = [], window }: Fleet): number {
  const first = Math.min(...sessions.map(({ createdAt }) => Date.parse(createdAt)));
  const hours = Math.ceil((Date.now() - first) / (HOUR / 4)) / 4;
  return Math.min(hoursOf(window), Math.max(0.25, Number.isFinite(hours) ? hours : 1));
}
