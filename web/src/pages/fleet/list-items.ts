import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { type Density, HEIGHTS } from "./density.ts";
import type { SessionGroup } from "./group-sessions.ts";

/** One line of the list, with its height. */
export type ListItem = { readonly key: string; readonly height: number } & (
  | {
      readonly type: "header";
      readonly group: SessionGroup;
      readonly isCollapsed: boolean;
      readonly hasColumns: boolean;
    }
  | { readonly type: "need" | "row"; readonly session: SessionView }
  | { readonly type: "more-needs"; readonly count: number }
  | { readonly type: "wall"; readonly sessions: readonly SessionView[] }
  | { readonly type: "merged-header"; readonly count: number }
  | { readonly type: "merged"; readonly pullRequest: PullRequestView }
);

export interface ListOptions {
  readonly density: Exclude<Density, "roomy">;
  readonly columns: number;
  readonly selected: string | null;
  /** Groups that the person opened or closed, overriding the density's default. */
  readonly toggled: ReadonlySet<string>;
  readonly merged: readonly PullRequestView[];
}

/** The number of cells in the wall when there are too many sessions for all of them. */
const WALL_LIMIT = 60;
/** How many needs are shown before the rest is folded, with very many sessions. */
export const NEEDS_SHOWN = 12;

/** The list from top to bottom. */
export function listItems(groups: readonly SessionGroup[], options: ListOptions): readonly ListItem[] {
  const { density, toggled, merged } = options;
  const { header, row } = HEIGHTS[density];
  const firstRows = groups.findIndex(({ key }) => key !== "needs-you");
  const items = groups.flatMap((group, index): readonly ListItem[] => {
    const isCollapsed = isCollapsedByItself(group.key, density) !== toggled.has(group.key);
    // The line above the list is the header of this group.
    if (group.key === "needs-you") return members(group, options);
    const hasColumns = index === firstRows;
    const head: ListItem = {
      type: "header",
      key: `group:${group.key}`,
      height: header,
      group,
      isCollapsed,
      hasColumns,
    };
    return [head, ...(isCollapsed ? remainder(group, options) : members(group, options))];
  });
  if (merged.length === 0) return items;
  const mergedRows = merged.map(
    (pullRequest): ListItem => ({ type: "merged", key: pullRequest.key, height: row, pullRequest }),
  );
  return [
    ...items,
    { type: "merged-header", key: "group:merged", height: header, count: merged.length },
    ...mergedRows,
  ];
}

/** Is a group collapsed by default? */
export function isCollapsedByItself(key: string, density: Density): boolean {
  if (density === "dense") return key === "queued";
  return density === "collapsed" && key !== "needs-you";
}

function members(group: SessionGroup, options: ListOptions): readonly ListItem[] {
  const { density } = options;
  if (group.key === "needs-you") return needs(group, options);
  if (group.key === "working" && density !== "normal") return wall(group.sessions, options);
  return group.sessions.map((session) => ({ type: "row", key: session.id, height: HEIGHTS[density].row, session }));
}

function needs(group: SessionGroup, { density, selected, toggled }: ListOptions): readonly ListItem[] {
  const { need, selectedNeed, row } = HEIGHTS[density];
  const isFolded = density === "collapsed" && !toggled.has(group.key);
  const shown = isFolded ? foldNeeds(group.sessions, selected) : group.sessions;
  const rows = shown.map((session): ListItem => {
    return { type: "need", key: session.id, height: session.id === selected ? selectedNeed : need, session };
  });
  const count = group.sessions.length - shown.length;
  return count === 0 ? rows : [...rows, { type: "more-needs", key: "more-needs", height: row + 8, count }];
}

/** The first needs, and the selected one; folding must be worth it. */
export function foldNeeds(sessions: readonly SessionView[], selected: string | null): readonly SessionView[] {
  if (sessions.length <= NEEDS_SHOWN + 3) return sessions;
  return sessions.filter(({ id }, index) => index < NEEDS_SHOWN || id === selected);
}

/** With very many sessions the wall keeps the latest signals although the group is closed. */
function remainder(group: SessionGroup, options: ListOptions): readonly ListItem[] {
  if (options.density !== "collapsed" || group.key !== "working") return [];
  const latest = group.sessions.toSorted((a, b) => signalOf(b).localeCompare(signalOf(a))).slice(0, WALL_LIMIT);
  const kept = new Set(latest.map(({ id }) => id));
  return wall(
    group.sessions.filter(({ id }) => kept.has(id)),
    options,
  );
}

function signalOf(session: SessionView): string {
  return session.lastSignalAt ?? session.updatedAt;
}

/** Cells from top to bottom, column by column. */
function wall(sessions: readonly SessionView[], { columns, density }: ListOptions): readonly ListItem[] {
  const rows = Math.ceil(sessions.length / columns);
  const height = HEIGHTS[density].row;
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (__, column) => sessions[column * rows + row]);
    return { type: "wall", key: `wall:${row}`, height, sessions: cells.filter((cell) => cell !== undefined) };
  });
}

/** The sessions of the list in the order of `j` and `k`. */
export function selectableIds(items: readonly ListItem[]): readonly string[] {
  const walls = items.filter((item) => item.type === "wall");
  const columns = Math.max(0, ...walls.map(({ sessions }) => sessions.length));
  const inWalls = Array.from({ length: columns }, (_, column) =>
    walls.flatMap(({ sessions }) => sessions[column]?.id ?? []),
  ).flat();
  const [firstWall] = walls;
  return items.flatMap((item) => {
    if (item === firstWall) return inWalls;
    return item.type === "need" || item.type === "row" ? [item.session.id] : [];
  });
}

/** The id after or before the selected one; the first if none is selected. */
export function stepSelection(ids: readonly string[], selected: string | null, by: 1 | -1): string | null {
  const here = selected === null ? -1 : ids.indexOf(selected);
  if (here === -1) return ids.at(by === 1 ? 0 : -1) ?? null;
  return ids[Math.min(ids.length - 1, Math.max(0, here + by))] ?? null;
}
