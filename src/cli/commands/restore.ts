import { AoError } from "../../core/errors.ts";
import type { Api } from "../../protocol/api.ts";
import { callerEnvironment } from "../client/caller-environment.ts";
import { type Client, connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { print, printJson, withProgress } from "../views/print.ts";

export const command = defineCommand({
  name: "restore",
  summary: "bring a stopped or lost session back, with its uncommitted work",
  usage: ["SESSION [--now] [--json]"],
  arguments: [{ ...SESSION_ARGUMENT, orHere: false }],
  options: {
    now: { type: "boolean", summary: "start even if all slots are taken; also starts a queued session" },
    json: JSON_OPTION,
  },
  examples: ["ao restore my-app-fix-login"],
  async run({ args: [id = ""], options }) {
    const client = connect();
    const session = await withProgress("restoring", restore(client, id, options.now === true));
    if (options.json === true) printJson(session);
    if (session.status === "failed" || session.status === "workspace-missing") {
      throw new AoError({ code: "session-state", message: `${session.id}: ${session.evidence}`, hint: "ao inbox" });
    }
    if (options.json === true) return;
    const notes = session.workspace.notes.map((text) => `\n  note    ${text}`).join("");
    print(`${session.id}: ${session.status}\n  path    ${session.workspacePath ?? "not yet"}${notes}`);
  },
});

/** Uses the shell that it is restored from: programs may have moved since the session started. */
async function restore(
  client: Client,
  id: string,
  now: boolean,
): Promise<Api["POST /api/sessions/:id/restore"]["out"]> {
  const env = await callerEnvironment(client);
  const shell = Object.keys(env).length === 0 ? {} : { env };
  const input = { wait: true, ...(now ? { now } : {}), ...shell };
  return client.call("POST /api/sessions/:id/restore", { params: { id }, input });
}
