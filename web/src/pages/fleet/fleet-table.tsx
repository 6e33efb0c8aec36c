import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { hoursOf } from "../../lib/axis.ts";
import { useParam } from "../../lib/url-state.ts";
import type { Density } from "./density.ts";
import { FleetList } from "./fleet-list.tsx";
import { AxisLines, ListHead } from "./list-head.tsx";
import { listItems, selectableIds } from "./list-items.ts";
import { nameOfSession } from "./name-of-session.ts";
import { titleAt } from "./title-at.ts";
import { useAxis, useMedia } from "./use-axis.ts";
import type { Fleet } from "./use-fleet.ts";
import { useFleetKeys } from "./use-fleet-keys.ts";
import { useHeldNeeds } from "./use-held-needs.ts";
import { useWindow } from "./use-window.ts";

const SelectionBar = lazy(() => import("./selection-bar.tsx").then((m) => ({ default: m.SelectionBar })));

export interface TableProps {
  readonly fleet: Fleet;
  readonly density: Exclude<Density, "roomy">;
}

/** The fleet from seven sessions on: a table on a shared axis. */
export function FleetTable({ fleet, density }: TableProps) {
  const columns = useMedia("(min-width: 1800px)") ? 5 : 4;
  const stripWidth = useMedia("(max-width: 1160px)") ? 160 : 240;
  const { frame, ref } = useAxis(hoursOf(fleet.window), stripWidth);
  const scroller = useRef<HTMLDivElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useParam("sel");
  const [, setFilter] = useParam("q");
  const [, setGrouping] = useParam("group");
  const [toggled, toggle] = useToggles();
  const [top, setTop] = useState(0);
  const held = useHeldNeeds(fleet.groups);
  const nextWindow = useWindow(fleet.window);
  const items = useMemo(
    () => listItems(held.groups, { density, columns, selected, toggled, merged: fleet.merged }),
    [held.groups, density, columns, selected, toggled, fleet.merged],
  );
  const select = useCallback((id: string | null) => setSelected(id, { replace: true }), [setSelected]);
  const keys = useFleetKeys({
    sessions: fleet.sessions ?? [],
    ids: selectableIds(items),
    selected,
    select,
    filterField,
  });
  const head = titleAt(held.groups, items, top);
  return (
    <section ref={ref} className="list" data-density={density} aria-label="Sessions" {...held.listeners}>
      <p className="visually-hidden" aria-live="polite">
        {describeSelected(fleet.sessions ?? [], selected)}
      </p>
      <ListHead
        {...head}
        waiting={held.waiting}
        onRelease={held.release}
        frame={frame}
        mergedAt={fleet.merged.map(({ updatedAt }) => Date.parse(updatedAt))}
        filter={fleet.filter}
        onFilter={(text) => setFilter(text, { replace: true })}
        filterField={filterField}
        window={fleet.window}
        onWindow={nextWindow}
        grouping={fleet.grouping}
        onGrouping={(by) => setGrouping(by === "need" ? null : by)}
      />
      <div className="list-area">
        <AxisLines frame={frame} />
        <div ref={scroller} className="list-scroll">
          <FleetList
            items={items}
            activity={fleet.activity}
            frame={frame}
            columns={columns}
            isDense={density !== "normal"}
            selected={selected}
            checked={keys.checked}
            writing={keys.writing}
            onSelect={select}
            onWrite={keys.setWriting}
            onToggle={toggle}
            onTop={setTop}
            scroller={scroller}
          />
          {items.length === 0 ? <p className="list-nothing ink-3">No session matches this filter.</p> : null}
        </div>
      </div>
      {keys.checked.size === 0 ? null : (
        <Suspense fallback={null}>
          <SelectionBar sessions={fleet.sessions ?? []} ids={keys.checked} onSelect={keys.setChecked} />
        </Suspense>
      )}
    </section>
  );
}

/** `j` and `k` move a bar, which is nothing to hear. */
function describeSelected(sessions: readonly SessionView[], selected: string | null): string {
  const session = sessions.find(({ id }) => id === selected);
  return session === undefined ? "" : `Selected: ${nameOfSession(session)}`;
}

function useToggles(): readonly [ReadonlySet<string>, (key: string) => void] {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  return [toggled, toggle];
}
