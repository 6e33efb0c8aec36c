import { AoError } from "../../core/errors.ts";
import type { SessionDetailView } from "../../protocol/views/session.ts";
import { misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { stopDaemon } from "../client/stop-daemon.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { formatError } from "../failure.ts";
import { print, printJson, withProgress, write } from "../views/print.ts";
import { fetchSessions } from "../views/show-sessions.ts";

export const command = defineCommand({
  name: "stop",
  summary: "end sessions, or the daemon; uncommitted work is saved",
  usage: ["SESSION ...", "--project ID --all", "[--sessions]"],
  arguments: [
    { name: "SESSION", summary: "the sessions to end; none: the daemon", optional: true, many: true, names: "session" },
  ],
  options: {
    project: PROJECT_OPTION,
    all: { type: "boolean", short: "a", summary: "all sessions (of the project)" },
    sessions: { type: "boolean", summary: "stop every session too, not only the daemon" },
    json: JSON_OPTION,
  },
  examples: ["ao stop my-app-fix-login", "ao stop --project my-app --all", "ao stop"],
  details:
    "Uncommitted work is saved to a ref before the worktree is removed; `ao restore` brings it back.\n" +
    "Without a session, the daemon stops; agents keep running and the next command reconnects to them.",
  async run({ args, options }) {
    const json = options.json === true;
    if (args.length > 0) {
      if (options.all === true || options.project !== undefined)
        throw misuse("sessions and --all together", "Name sessions, or give --all.");
      return stopSessions(connect(), args, json);
    }
    if (options.all === true) {
      const client = connect();
      const sessions = await fetchSessions(client, { project: options.project });
      return stopSessions(
        client,
        sessions.map((session) => session.id),
        json,
      );
    }
    if (options.project !== undefined) throw misuse("--project without --all", "ao stop --project ID --all");
    await stopDaemon({ sessions: options.sessions === true, json });
  },
});

async function stopSessions(client: Client, ids: readonly string[], json: boolean): Promise<void> {
  const results = await withProgress("stopping", (say) => {
    let ended = 0;
    const end = (id: string): Promise<SessionDetailView> =>
      client.call("DELETE /api/sessions/:id", { params: { id }, input: { wait: true } }).finally(() => {
        ended += 1;
        if (ids.length > 1) say(`${ended} of ${ids.length}`);
      });
    return Promise.allSettled(ids.map(end));
  });
  const stopped = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const [only] = stopped;
  if (json && ids.length === 1) {
    if (only !== undefined) printJson(only);
  } else if (json) printJson({ data: stopped });
  else if (ids.length === 0) print("no sessions to stop");
  else for (const session of stopped) print(describeStopped(session));
  if (failures.length === 0) return;
  if (ids.length === 1) throw failures[0];
  for (const failure of failures) {
    if (!(failure instanceof AoError)) throw failure;
    write(process.stderr, formatError(failure.message, failure.hint));
  }
  throw new AoError({ code: "session-state", message: `${failures.length} of ${ids.length} did not stop` });
}

function describeStopped(session: SessionDetailView): string {
  return `${session.id}: ${session.status === session.evidence ? session.status : session.evidence}`;
}
