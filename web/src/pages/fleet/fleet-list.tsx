import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import type { ActivityById } from "../../data/fleet-queries.ts";
import type { StripFrame } from "../../lib/strip-geometry.ts";
import { GroupHeader } from "./group-header.tsx";
import { hasOwnLine } from "./has-own-line.ts";
import type { ListItem } from "./list-items.ts";
import { MergedRow } from "./merged-row.tsx";
import { nameOfSession } from "./name-of-session.ts";
import { NeedRow } from "./need-row.tsx";
import { SessionRow } from "./session-row.tsx";
import { useMovedRows } from "./use-moved-rows.ts";
import { useTallRows } from "./use-tall-rows.ts";
import { WallRow } from "./wall-row.tsx";

export interface ListProps {
  readonly items: readonly ListItem[];
  readonly activity: ActivityById | undefined;
  readonly frame: StripFrame;
  readonly columns: number;
  readonly isDense: boolean;
  readonly selected: string | null;
  readonly checked: ReadonlySet<string>;
  readonly writing: string | null;
  readonly onSelect: (id: string) => void;
  readonly onWrite: (id: string | null) => void;
  readonly onToggle: (key: string) => void;
  /** Called with the index of the topmost item. */
  readonly onTop: (index: number) => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** The rows of the fleet. Only visible ones are in the document; the header of the current group stays at the top. */
export function FleetList(props: ListProps) {
  const { selected, writing, onTop, scroller } = props;
  const sticky = useRef(0);
  const tall = useTallRows();
  const items = props.items.map((item) => (isTall(item, writing) ? { ...item, height: tall.heightOf(item) } : item));
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => items[index]?.height ?? 28,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 4,
    rangeExtractor: (range) => {
      sticky.current = headerBefore(items, range);
      return [...new Set([sticky.current, ...defaultRangeExtractor(range)])].filter((index) => index >= 0);
    },
  });
  const heights = items.map(({ height }) => height).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights of rows follow from the selection and the density
  useEffect(() => virtual.measure(), [heights, virtual]);
  // Only a new selection scrolls, not changes around it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const index = items.findIndex((item) => holds(item, selected));
    if (selected !== null && index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [selected]);
  const isMoved = useMovedRows(props.items);
  const first = virtual.range?.startIndex ?? 0;
  useEffect(() => onTop(first), [onTop, first]);
  return (
    <ul className="list-rows" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start, size }) => {
        const item = items[index];
        if (item === undefined) return null;
        const isSticky = index === sticky.current && item.type === "header";
        return (
          <li
            key={key}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            aria-label={nameOf(item)}
            className={isSticky ? "list-row list-row-sticky" : "list-row"}
            data-moved={isMoved(key) || undefined}
            ref={isTall(item, writing) ? tall.measure(item.key) : null}
            style={{
              ...(isTall(item, writing) ? {} : { height: size }),
              ...(isSticky ? {} : { transform: `translateY(${start}px)` }),
            }}
          >
            <Item {...props} item={item} />
          </li>
        );
      })}
    </ul>
  );
}

function Item(props: ListProps & { readonly item: ListItem }) {
  const { item, activity, frame, columns, isDense, selected, checked, writing, onSelect, onWrite, onToggle } = props;
  switch (item.type) {
    case "header":
      return (
        <GroupHeader
          group={item.group}
          isCollapsed={item.isCollapsed}
          onToggle={onToggle}
          hasColumns={item.hasColumns}
        />
      );
    case "merged-header": {
      const group = { key: "merged", title: "Merged today", summary: "", sessions: Array.from({ length: item.count }) };
      return <GroupHeader group={group} isCollapsed={false} onToggle={onToggle} hasColumns={false} />;
    }
    case "more-needs":
      return (
        <button type="button" className="text-button more-needs small" onClick={() => onToggle("needs-you")}>
          and {item.count} more
        </button>
      );
    case "wall":
      return <WallRow sessions={item.sessions} {...{ activity, frame, columns, selected }} />;
    case "merged":
      return (
        <MergedRow
          pullRequest={item.pullRequest}
          activity={activity?.get(item.pullRequest.sessionId ?? "")}
          frame={frame}
        />
      );
    case "need":
    case "row": {
      const { session } = item;
      const row = {
        session,
        activity: activity?.get(session.id),
        frame,
        isSelected: session.id === selected,
        isChecked: checked.has(session.id),
        onSelect,
      };
      if (item.type === "row") return <SessionRow {...row} />;
      return <NeedRow {...row} isOneLine={isDense} isWriting={writing === session.id} onWrite={onWrite} />;
    }
  }
}

/** What a screen reader says of a row before its parts; the others name themselves. */
function nameOf(item: ListItem): string | undefined {
  return item.type === "need" || item.type === "row" ? nameOfSession(item.session) : undefined;
}

/** Is its height only known once it is in the document? */
function isTall(item: ListItem, writing: string | null): boolean {
  return item.type === "need" && hasOwnLine(item.session, writing === item.session.id);
}

function holds(item: ListItem, id: string | null): boolean {
  if (item.type === "need" || item.type === "row") return item.session.id === id;
  return item.type === "wall" && item.sessions.some((session) => session.id === id);
}

/** The last header at or above the first visible row. */
function headerBefore(items: readonly ListItem[], { startIndex }: Range): number {
  return items.slice(0, startIndex + 1).findLastIndex(({ type }) => type === "header" || type === "merged-header");
}
