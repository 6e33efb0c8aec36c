import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { findWorktree } from "./shell/in-worktree.ts";

export const command = defineCommand({
  name: "path",
  summary: "print the folder of a session's worktree",
  usage: ["[SESSION] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: { json: JSON_OPTION },
  examples: ['cd "$(ao path my-app-fix-login)"'],
  async run({ args: [id = ""], options }) {
    const { session, path } = await findWorktree(id);
    if (options.json === true) printJson({ session: session.id, path });
    else print(path);
  },
});
