import { misuse } from "../args/usage-error.ts";
import { defineCommand, SESSION_ARGUMENT } from "../command.ts";
import { firstSet } from "./shell/editor.ts";
import { findWorktree, runLineIn } from "./shell/in-worktree.ts";

export const command = defineCommand({
  name: "edit",
  summary: "open a session's worktree in your editor",
  usage: ["[SESSION]"],
  arguments: [SESSION_ARGUMENT],
  options: {},
  examples: ["ao edit my-app-fix-login", "AO_EDITOR=code ao edit 42"],
  details:
    "The editor is AO_EDITOR, VISUAL or EDITOR, whichever is set first, and gets the folder as its argument. The agent keeps working\n" +
    "meanwhile; `ao interrupt` makes it wait for your next message.",
  async run({ args: [id = ""] }) {
    const editor = firstSet("AO_EDITOR", "VISUAL", "EDITOR");
    if (editor === undefined) {
      throw misuse("no editor is set", "Set AO_EDITOR, VISUAL or EDITOR, for example: export AO_EDITOR=code");
    }
    const { path } = await findWorktree(id);
    process.exitCode = await runLineIn(path, editor, ["."]);
  },
});
