import type { ReplayBody } from "../../protocol/bodies/rules.ts";
import { parseDuration } from "../args/duration.ts";
import { findPullRequest } from "../args/find-pull-request.ts";
import { readText } from "../args/read-text.ts";
import { misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { renderReplay } from "../views/replay-view.ts";
import { style } from "../views/style.ts";

/** For everything at once, older steps are rarely of interest. */
const DEFAULT_SINCE = "7d";

export const command = defineCommand({
  name: "replay",
  summary: "what your rules did, and what other rules would have done, without doing it",
  usage: ["[SESSION|PR] [--since WHEN] [--config FILE] [--project ID] [--json]"],
  arguments: [
    {
      name: "SESSION|PR",
      summary: 'a session with its pull requests, or one pull request ("#3", my-app/3); default: everything',
      optional: true,
      names: "session",
    },
  ],
  options: {
    since: {
      type: "string",
      value: "WHEN",
      summary: "12h or 7d ago, or a day (2026-07-01); default: 7d, or everything for one session or pull request",
    },
    config: { type: "string", short: "c", value: "FILE", summary: "show what the rules of this file would have done" },
    project: { ...PROJECT_OPTION, summary: "the project of the pull request" },
    json: JSON_OPTION,
  },
  examples: ["ao replay", "ao replay my-app-fix-login", "ao replay --since 30d --config new.yaml"],
  details:
    "Replays the recorded events through the rules of that time, and with --config through the rules in the file. Lines with - are steps\n" +
    "that only the old rules take, lines with + steps that only the new ones take. Nothing is sent, merged or changed.\n" +
    "What agents and people did stays as recorded, so everything after the first difference is an estimate.",
  async run({ args: [ref], options }) {
    const client = connect();
    const since = options.since ?? (ref === undefined ? DEFAULT_SINCE : undefined);
    const input: ReplayBody = {
      ...(ref === undefined ? {} : await resolveRef(client, ref, options.project)),
      ...(since === undefined ? {} : { since: readSince(since, Date.now()) }),
      ...(options.config === undefined ? {} : { config: await readText(options.config) }),
    };
    const answer = await client.call("POST /api/replay", { input });
    if (options.json === true) return printJson(answer);
    if (answer.data.length === 0) return print("no rule did anything");
    print(renderReplay(answer, style(process.stdout), options.config ?? null).join("\n"));
  },
});

async function resolveRef(
  client: Client,
  ref: string,
  project: string | undefined,
): Promise<Pick<ReplayBody, "session" | "pullRequest">> {
  if (!/^#\d+$|\/#?\d+$/.test(ref)) return { session: ref };
  return { pullRequest: (await findPullRequest(client, ref, project)).key };
}

/** The time that `7d`, `12h` or `2026-07-01` means. */
export function readSince(written: string, now: number): string {
  const isDay = /^\d{4}-\d{2}-\d{2}/.test(written);
  const at = isDay ? Date.parse(written) : now - parseDuration(written, "--since");
  if (Number.isNaN(at)) throw misuse(`--since is not a time: ${written}`, "Write 12h, 7d or 2026-07-01.");
  return new Date(at).toISOString();
}
