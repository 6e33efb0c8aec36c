import { realpathSync } from "node:fs";
import { AoError } from "../../core/errors.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { type Client, connect } from "../client/client.ts";
import { note } from "../views/print.ts";
import { recallRows } from "../views/rows.ts";
import { fetchSessions } from "../views/show-sessions.ts";
import { projectAt } from "./project-here.ts";

/**
 * The session in a row of the list that this terminal printed last: `@2` always, `2` unless an issue (or, where a pull
 * request is expected, a pull request) of the project has that number.
 */
export async function nameRow(written: string, kind: "session" | "pull-request"): Promise<string> {
  const client = connect();
  const number = written.replace(/^@/, "");
  const row = recallRows(client.paths)[Number(number) - 1];
  if (written.startsWith("@")) {
    if (row !== undefined) return row;
    const hint = "Run `ao list` in this terminal first; a row is the number in front of a session.";
    throw new AoError({ code: "session-unknown", message: `there is no row ${number}`, hint });
  }
  if (row === undefined) return written;
  const other = await findOther(client, { number, row, kind });
  if (other === null) {
    note(`${number} is ${row} (row ${number} of the last \`ao list\`)`);
    return row;
  }
  if (other.sessionId === row) return row;
  const message = `"${number}" could be ${other.what} or row ${number} of the last \`ao list\` (${row})`;
  throw new AoError({
    code: "session-ambiguous",
    message,
    hint: `Write '#${number}' for the first, @${number} for the row.`,
  });
}

interface Other {
  readonly what: string;
  readonly sessionId: string | null;
}

/** Anything else in the project with this number. */
async function findOther(
  client: Client,
  { number, row, kind }: { readonly number: string; readonly row: string; readonly kind: "session" | "pull-request" },
): Promise<Other | null> {
  const sessions = await fetchSessions(client, { all: true });
  const { data: projects } = await client.call("GET /api/projects");
  const project = projectAt(projects, realpathSync("."))?.id ?? sessions.find(({ id }) => id === row)?.projectId;
  const own = sessions.filter((session) => session.projectId === project);
  const pull = kind === "pull-request" ? ofPullRequest(own, Number(number)) : null;
  if (pull !== null) return pull;
  const working = own.find((session) => session.issue === number);
  if (working !== undefined) return { what: `issue #${number} (${working.id})`, sessionId: working.id };
  if (project === undefined) return null;
  return (await hasIssue(client, project, number)) ? { what: `issue #${number}`, sessionId: null } : null;
}

function ofPullRequest(sessions: readonly SessionView[], number: number): Other | null {
  const owner = sessions.find(({ pullRequests }) => pullRequests.some((pull) => pull.number === number));
  return owner === undefined ? null : { what: `pull request #${number} (${owner.id})`, sessionId: owner.id };
}

async function hasIssue(client: Client, id: string, issue: string): Promise<boolean> {
  try {
    await client.call("GET /api/projects/:id/issues/:issue", { params: { id, issue } });
    return true;
  } catch (error) {
    if (error instanceof AoError && error.code === "task-unknown") return false;
    // Whether such an issue exists is unknown, so the number is not taken for a row.
    if (error instanceof AoError) return true;
    throw error;
  }
}
