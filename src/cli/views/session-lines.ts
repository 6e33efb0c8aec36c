import type { Api } from "../../protocol/api.ts";
import { countSessions } from "../../protocol/fleet-order.ts";
import { describeFleet } from "./session-row.ts";
import { renderSessions } from "./session-table.ts";
import { type Style, style } from "./style.ts";
import { cut } from "./text-width.ts";
import { visibleLine } from "./visible.ts";

export interface SessionFilter {
  readonly project?: string | undefined;
  readonly all?: boolean | undefined;
}

export interface ShowOptions extends SessionFilter {
  readonly watch?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Sessions in table order, and what applies to all of them. */
export type Listing = Api["GET /api/sessions"]["out"];

/** The output: a terminal of some size, or a pipe or file. */
type Output = Pick<NodeJS.WriteStream, "isTTY"> & Partial<Pick<NodeJS.WriteStream, "columns" | "rows">>;

// Output that is updated in place must not be taller than the terminal, and the summary matters more than the last
// rows.
function keepInView(table: readonly string[], rows: number | undefined, below: number): readonly string[] {
  const room = Math.max(3, (rows || 24) - 3 - below);
  if (table.length <= room) return table;
  return [...table.slice(0, room - 1), `… ${table.length - room + 1} more`];
}

/** The table of sessions and its summary, for this terminal or pipe. */
export function sessionLines(
  { data, fleet }: Listing,
  filter: ShowOptions,
  output: Output = process.stdout,
): readonly string[] {
  if (data.length === 0) {
    const paused = fleet.paused ? "Paused; `ao resume` continues. " : "";
    const hint = filter.all === true ? "" : " (--all lists stopped ones)";
    return [`${paused}no sessions${hint}. Start one: ao new "title"`, ...warningLines(fleet, style(output))];
  }
  const columns = output.isTTY ? output.columns || 80 : undefined;
  const paint = style(output);
  const table = renderSessions(data, {
    now: Date.now(),
    style: paint,
    columns,
  });
  const summary = describeFleet(countSessions(data), fleet);
  const warnings = warningLines(fleet, paint);
  if (columns === undefined) return [...table, "", summary, ...warnings];
  const rows = filter.watch === true ? keepInView(table, output.rows, warnings.length) : table;
  return [
    ...rows,
    "",
    cut(summary, columns),
    ...(filter.watch === true ? warnings.map((line) => cut(line, columns)) : warnings),
  ];
}

/** What works and still needs a look; it may name what others wrote. */
function warningLines({ warnings = [] }: Listing["fleet"], paint: Style): readonly string[] {
  return warnings.map((text) => `${paint.yellow("warning:")} ${visibleLine(text)}`);
}
