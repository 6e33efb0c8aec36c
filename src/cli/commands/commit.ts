import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "commit",
  summary: "commit what a session's agent left uncommitted",
  usage: ['[SESSION] -m "MESSAGE" [--now] [--json]'],
  arguments: [SESSION_ARGUMENT],
  options: {
    message: { type: "string", short: "m", value: "TEXT", summary: "the commit message" },
    now: { type: "boolean", summary: "commit even while the agent is working" },
    json: JSON_OPTION,
  },
  examples: ['ao commit my-app-fix-login -m "Fix the login form"'],
  details:
    "Stages everything in the session's worktree, as `git add --all` does, and commits it on the session's branch.\n" +
    "ao then opens or updates the pull request, as after a turn.",
  async run({ args: [id = ""], options }) {
    const message = options.message?.trim() ?? "";
    if (message === "") throw misuse("a commit needs a message", 'ao commit SESSION -m "MESSAGE"');
    const input = { message, ...(options.now === true ? { now: true } : {}) };
    const done = await connect().call("POST /api/sessions/:id/commit", { params: { id }, input });
    if (options.json === true) return printJson(done);
    const files = done.files === 1 ? "1 file" : `${done.files} files`;
    const opened = done.pullRequest === null ? "" : `, pull request #${done.pullRequest.number}`;
    print(`committed ${files} as ${done.head.slice(0, 7)} on ${done.branch}${opened}`);
  },
});
