import { FLEET_GROUPS, type FleetGroup, groupOf } from "../../protocol/fleet-order.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { fitColumns } from "../views/fit-table.ts";
import { sessionColumns } from "../views/session-table.ts";
import type { RenderOptions } from "./render-options.ts";
import { type BoardState, type Size, shownSessions } from "./state.ts";

const GROUP_NAMES: Readonly<Record<FleetGroup, string>> = {
  "needs-you": "Needs you",
  "in-review": "In review",
  working: "Working",
  queued: "Queued",
  done: "Done",
};

/** Columns before each row for the cursor mark, and one at the end. */
const MARGIN = 3;

type Item =
  | { readonly kind: "row"; readonly row: number }
  | { readonly kind: "group"; readonly group: FleetGroup; readonly count: number }
  | { readonly kind: "gap" };

/** The sessions by group, with the selected one in view. */
export function renderList(state: BoardState, { now, style }: RenderOptions, size: Size): readonly string[] {
  const sessions = shownSessions(state);
  if (sessions.length === 0) return renderNothing(state, style.dim);
  const selected = sessions.findIndex(({ id }) => id === state.selectedId);
  const table = fitColumns(sessionColumns(sessions, { now, style, selected }), size.columns - MARGIN);
  const items = listItems(sessions);
  const at = items.findIndex((item) => item.kind === "row" && item.row === selected);
  const top = Math.max(0, Math.min(at - Math.floor(size.rows / 2), items.length - size.rows));
  return items.slice(top, top + size.rows).map((item) => {
    if (item.kind === "gap") return "";
    if (item.kind === "row") return `${item.row === selected ? style.cyan("▌") : " "} ${table.row(item.row)}`;
    const name = style.bold(GROUP_NAMES[item.group]);
    return `  ${item.group === "needs-you" ? style.yellow(name) : name} ${style.dim(String(item.count))}`;
  });
}

function listItems(sessions: readonly SessionView[]): readonly Item[] {
  const groups = sessions.map(groupOf);
  const items: Item[] = [];
  for (const group of FLEET_GROUPS) {
    const rows = groups.flatMap((one, row) => (one === group ? [row] : []));
    if (rows.length === 0) continue;
    if (items.length > 0) items.push({ kind: "gap" });
    items.push({ kind: "group", group, count: rows.length }, ...rows.map((row) => ({ kind: "row", row }) as const));
  }
  return items;
}

function renderNothing(state: BoardState, dim: (text: string) => string): readonly string[] {
  if (state.fleet === null) return ["", `  ${dim(state.offline === null ? "Loading …" : "Waiting for the daemon …")}`];
  if (state.filter !== "") return ["", `  Nothing matches "${state.filter}".`, `  ${dim("Esc clears the filter.")}`];
  return [
    "",
    "  No sessions.",
    "",
    `  ${dim("n  start one: describe the task, and an agent gets to work")}`,
    `  ${dim("v  list stopped sessions")}`,
    `  ${dim("?  all keys")}`,
  ];
}
