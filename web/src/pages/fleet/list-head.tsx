import type { Ref } from "react";
import { axisTicks } from "../../lib/axis.ts";
import type { StripFrame } from "../../lib/strip-geometry.ts";
import { formatClock, formatExact } from "../../lib/time.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import { GROUPINGS, type Grouping } from "./group-sessions.ts";

interface Props {
  readonly title: string;
  readonly count: number | null;
  readonly note: string;
  /** New needs that wait until the person leaves the list. */
  readonly waiting: number;
  readonly onRelease: () => void;
  readonly frame: StripFrame;
  readonly mergedAt: readonly number[];
  readonly filter: string;
  readonly onFilter: (text: string) => void;
  readonly filterField: Ref<HTMLInputElement>;
  readonly window: string;
  readonly onWindow: () => void;
  readonly grouping: Grouping;
  readonly onGrouping: (grouping: string) => void;
}

/** The first line of the list: its title, the axis, and the filter. */
export function ListHead(props: Props) {
  const { title, count, note, waiting, onRelease, frame, mergedAt } = props;
  return (
    <div className="row list-head">
      <span className="list-head-title">
        <h2 className="strong">{title}</h2> {count === null ? null : <span className="you strong">{count}</span>}{" "}
        <span className="small ink-3">{note}</span>
        {waiting === 0 ? null : (
          <button type="button" className="text-button you" onClick={onRelease}>
            {waiting} new
          </button>
        )}
      </span>
      <span className="row-pr micro ink-3">PR</span>
      <span className="row-checks micro ink-3">Checks</span>
      <AxisLabels frame={frame} mergedAt={mergedAt} />
      <Controls {...props} />
    </div>
  );
}

function AxisLabels({ frame, mergedAt }: Pick<Props, "frame" | "mergedAt">) {
  const { from, to, width } = frame;
  const ticks = mergedAt.filter((at) => at > from && at <= to);
  return (
    <span className="axis" style={{ width }} aria-hidden="true">
      {axisTicks(from, to).map(({ at, time }) => (
        <span key={time} className="axis-label micro ink-3" style={{ left: at * width }}>
          {formatClock(time)}
        </span>
      ))}
      <span className="axis-label axis-now micro">{formatClock(to)}</span>
      {ticks.map((at) => (
        <i
          key={at}
          className="axis-merge"
          style={{ left: ((at - from) / (to - from)) * width }}
          title={formatExact(at)}
        />
      ))}
    </span>
  );
}

const GROUP_LABELS: Readonly<Record<Grouping, string>> = { need: "by state", project: "by project", agent: "by agent" };

function Controls({ filter, onFilter, filterField, window, onWindow, grouping, onGrouping }: Props) {
  return (
    <span className="list-controls micro ink-3">
      <label>
        <span className="visually-hidden">Filter</span>
        <input
          ref={filterField}
          type="search"
          placeholder="Filter"
          value={filter}
          onChange={({ target }) => onFilter(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
            if (event.key === "Escape") onFilter("");
          }}
        />
        <KeyCap keys="/" />
      </label>
      <select aria-label="Group" value={grouping} onChange={({ target }) => onGrouping(target.value)}>
        {GROUPINGS.map((one) => (
          <option key={one} value={one}>
            {GROUP_LABELS[one]}
          </option>
        ))}
      </select>
      <button type="button" className="text-button" onClick={onWindow} title="Change the time window">
        last {window.replace("h", " h")} <KeyCap keys="w" />
      </button>
    </span>
  );
}

/** The axis lines behind all rows. */
export function AxisLines({ frame }: { readonly frame: StripFrame }) {
  const { from, to, width } = frame;
  return (
    <div className="row axis-lines" aria-hidden="true">
      <span className="axis" style={{ width }}>
        {axisTicks(from, to).map(({ at, time }) => (
          <i key={time} style={{ left: at * width }} />
        ))}
        <i className="axis-end" />
      </span>
    </div>
  );
}
