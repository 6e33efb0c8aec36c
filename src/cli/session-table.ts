import type { SessionView } from "../protocol/view.ts";
import { formatAge } from "./duration.ts";
import { describePull } from "./pull-request-short.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

export interface SessionTableOptions {
  readonly now: number;
  readonly style: Style;
  readonly columns?: number | undefined;
}

const STATUS_COLUMN = 1;

/** Sessions as a table: id, status, agent, branch, pull request (once there is one), age, title. */
export function renderSessions(sessions: readonly SessionView[], options: SessionTableOptions): readonly string[] {
  const { style } = options;
  const pulls = sessions.map((session) => describePull(session.pullRequests));
  const hasPulls = pulls.some((pull) => pull !== "");
  const rows = sessions.map((session, index) => [
    session.id,
    session.status,
    session.agent,
    session.branch,
    ...(hasPulls ? [pulls[index] ?? ""] : []),
    formatAge(options.now - Date.parse(session.createdAt)),
    session.title,
  ]);
  const head = ["ID", "STATUS", "AGENT", "BRANCH", ...(hasPulls ? ["PR"] : []), "AGE", "TITLE"];
  return renderTable([head, ...rows], {
    columns: options.columns,
    paint(text, row, column) {
      if (row === 0) return style.dim(text);
      const session = sessions[row - 1];
      return column === STATUS_COLUMN && session !== undefined ? paintStatus(style, session, text) : text;
    },
  });
}

/** The color of a status: what needs a person stands out. */
export function paintStatus(style: Style, session: Pick<SessionView, "state">, text: string): string {
  if (session.state === "error") return style.red(text);
  if (session.state === "waiting") return style.yellow(text);
  return session.state === "working" ? style.green(text) : text;
}
