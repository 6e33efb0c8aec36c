import { stateWord } from "../../protocol/state-word.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { formatAge } from "../args/duration.ts";
import { type FitColumn, fitTable } from "./fit-table.ts";
import { describePull } from "./pull-request-short.ts";
import { describeActivity, paintPull, paintTone, shortCost, shortNames, shortPull } from "./session-row.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";
import { visibleLine } from "./visible.ts";

export interface SessionTableOptions {
  readonly now: number;
  readonly style: Style;
  /** The terminal's width; absent: a pipe, where nothing is cut. */
  readonly columns?: number | undefined;
}

/**
 * Sessions in the given order, as a table that never wraps; for a pipe in full, with machine-readable words. `@1` names
 * a row.
 */
export function renderSessions(sessions: readonly SessionView[], options: SessionTableOptions): readonly string[] {
  const { columns, style } = options;
  if (columns === undefined) return renderWhole(sessions, options);
  const number: FitColumn = { head: "#", cells: sessions.map((_, row) => `@${row + 1}`), paint: style.dim };
  return fitTable([number, ...sessionColumns(sessions, options)], columns, style.dim);
}

/** The columns of session lists on a terminal; `selected` is the row under the cursor. */
export function sessionColumns(
  sessions: readonly SessionView[],
  { now, style, selected }: Pick<SessionTableOptions, "now" | "style"> & { readonly selected?: number },
): readonly FitColumn[] {
  const words = sessions.map(stateWord);
  return [
    {
      head: "STATUS",
      cells: words.map(({ mark, word }) => `${mark} ${word}`),
      paint: (text, row) => paintTone(style, words[row]?.tone ?? "quiet", text),
    },
    { head: "SESSION", cells: shortNames(sessions.map(({ id }) => id)), drop: 1, paint: style.cyan },
    {
      head: "TASK",
      cells: sessions.map(({ title }) => visibleLine(title)),
      min: 18,
      paint: (text, row) => (row === selected ? style.bold(text) : text),
    },
    {
      head: "ACTIVITY",
      cells: sessions.map(describeActivity),
      min: 18,
      drop: 5,
      paint: (text, row) => (sessions[row]?.attention === null ? style.dim(text) : text),
    },
    {
      head: "PR",
      cells: sessions.map((one) => shortPull(one.pullRequests)),
      drop: 4,
      paint: (text) => paintPull(style, text),
    },
    ...sandboxColumn(sessions, style),
    { head: "COST", cells: sessions.map(shortCost), drop: 2, right: true },
    { head: "AGE", cells: sessions.map((one) => ageOf(one, now)), drop: 3, right: true, paint: style.dim },
  ];
}

// Where no agent has a sandbox, there is nothing to tell apart.
function sandboxColumn(sessions: readonly SessionView[], style: Style): readonly FitColumn[] {
  if (!sessions.some(hasSandbox)) return [];
  return [{ head: "SANDBOX", cells: sessions.map(describeSandbox), drop: 1, paint: style.dim }];
}

function hasSandbox({ sandbox }: SessionView): boolean {
  return sandbox !== undefined;
}

function describeSandbox(session: SessionView): string {
  return hasSandbox(session) ? "yes" : "no";
}

function renderWhole(sessions: readonly SessionView[], { now }: SessionTableOptions): readonly string[] {
  const withSandbox = sessions.some(hasSandbox);
  const rows = sessions.map((session, row) => [
    `@${row + 1}`,
    session.id,
    session.status,
    describePull(session.pullRequests),
    shortCost(session),
    ageOf(session, now),
    visibleLine(session.title),
    describeActivity(session),
    ...(withSandbox ? [describeSandbox(session)] : []),
  ]);
  const heads = ["#", "SESSION", "STATUS", "PR", "COST", "AGE", "TASK", "ACTIVITY"];
  return renderTable([withSandbox ? [...heads, "SANDBOX"] : heads, ...rows]);
}

/** The color of a status: what needs a person stands out. */
export function paintStatus(style: Style, session: Pick<SessionView, "state">, text: string): string {
  if (session.state === "error") return style.red(text);
  if (session.state === "waiting") return style.yellow(text);
  return session.state === "working" ? style.green(text) : text;
}

function ageOf({ createdAt }: SessionView, now: number): string {
  return formatAge(now - Date.parse(createdAt));
}
