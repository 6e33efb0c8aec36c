import { AoError } from "../../../core/errors.ts";
import type { Api } from "../../../protocol/api.ts";
import { formatError } from "../../failure.ts";
import { note, print, printJson, write } from "../../views/print.ts";

export type NewSession = Api["POST /api/sessions"]["out"];

/** Reports what was started and what was not; returns the started ones, and throws if any failed. */
export function reportNew(results: readonly PromiseSettledResult<NewSession>[], json: boolean): readonly NewSession[] {
  const sessions = results
    .flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    .sort(compareCopies);
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const [only] = sessions;
  if (json && results.length > 1) printJson({ data: sessions });
  else if (json && only !== undefined) printJson(only);
  else for (const session of sessions) print(describeNew(session));
  for (const text of new Set(sessions.flatMap((session) => session.notes))) note(`note: ${text}`);
  refuse(results.length, sessions, failures);
  return sessions;
}

// Copies of one task are created in any order; issues keep the requested order.
function compareCopies(a: NewSession, b: NewSession): number {
  return a.issue === null && b.issue === null ? a.id.localeCompare(b.id, "en", { numeric: true }) : 0;
}

function refuse(asked: number, sessions: readonly NewSession[], failures: readonly unknown[]): void {
  const [first] = failures;
  if (failures.length === 1 && asked === 1) throw first;
  for (const failure of failures) {
    if (!(failure instanceof AoError)) throw failure;
    write(process.stderr, formatError(failure.message, failure.hint));
  }
  const broken = sessions.filter((session) => session.status === "failed");
  const bad = failures.length + broken.length;
  if (bad === 0) return;
  const message = asked === 1 ? (broken[0]?.evidence ?? "") : `${bad} of ${asked} did not start`;
  const hint = broken.length === 0 ? undefined : "`ao inbox` shows what each needs.";
  throw new AoError({ code: "session-state", message, hint });
}

/** What was started, where, and what to type next. */
export function describeNew(session: NewSession): string {
  const { id, status, evidence } = session;
  const rows: (readonly [string, string])[] = [
    ["project", session.projectId],
    ["branch", `${session.branch}${session.on === undefined ? "" : ` (on ${session.on})`}`],
  ];
  if (session.workspacePath !== null) rows.push(["path", session.workspacePath]);
  rows.push(...session.workspace.notes.map((text) => ["note", text] as const));
  if (status === "queued" || status === "paused") {
    rows.push([status, evidence.replace(new RegExp(`^${status}[:;.,]? *`, "i"), "")]);
  } else if (status !== "failed") {
    rows.push(["attach", `ao attach ${id}`], ["diff", `ao diff ${id}`], ["wait", `ao wait ${id} --for pr`]);
  }
  return [id, ...rows.map(([name, text]) => `  ${name.padEnd(7)}  ${text}`.trimEnd())].join("\n");
}
