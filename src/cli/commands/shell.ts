import { defineCommand, SESSION_ARGUMENT } from "../command.ts";
import { note } from "../views/print.ts";
import { findWorktree, runIn } from "./shell/in-worktree.ts";

export const command = defineCommand({
  name: "shell",
  summary: "open a shell in a session's worktree",
  usage: ["[SESSION]"],
  arguments: [SESSION_ARGUMENT],
  options: {},
  examples: ["ao shell my-app-fix-login"],
  details:
    "The shell is AO_SHELL, else SHELL, with your own environment: you act there as yourself, not as the agent.\n" +
    "Inside, commands such as `ao diff` and `ao send` mean this session.",
  async run({ args: [id = ""] }) {
    const { session, path } = await findWorktree(id);
    const shell = process.env["AO_SHELL"] || process.env["SHELL"] || "/bin/sh";
    if (process.stderr.isTTY) {
      note(`Worktree of ${session.id}, branch ${session.branch}:\n  ${path}\nLeave with exit or Ctrl+D.`);
    }
    process.exitCode = await runIn(path, shell, []);
  },
});
