import { misuse, notYet } from "../args/usage-error.ts";
import { defineCommand, SESSION_ARGUMENT } from "../command.ts";
import { findWorktree, runIn } from "./shell/in-worktree.ts";

export const command = defineCommand({
  name: "run",
  summary: "run a command in a session's worktree",
  usage: ["[SESSION] -- COMMAND [ARGUMENT ...]"],
  arguments: [{ ...SESSION_ARGUMENT, optional: true }],
  options: {},
  examples: ["ao run my-app-fix-login -- npm test", "ao run 42 -- git log --oneline -3"],
  details: "It runs with your own environment and terminal; its exit code is the exit code of `ao run`.",
  takesCommand: true,
  async run({ args: [id], rest: [program, ...args] }) {
    if (program === undefined) {
      if (id === undefined) throw notYet('"ao run" without a command', "ao run SESSION -- COMMAND");
      throw misuse("run what?", `ao run ${id} -- COMMAND`);
    }
    if (id === undefined)
      throw misuse('"ao run" needs SESSION outside a session\'s worktree', "ao run SESSION -- COMMAND");
    const { path } = await findWorktree(id);
    process.exitCode = await runIn(path, program, args);
  },
});
