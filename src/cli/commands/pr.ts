import { defineCommand } from "../command.ts";
import { close, label, open, rerun } from "../pull-request-changing.ts";
import { diff, list, show } from "../pull-request-reading.ts";

export const command = defineCommand({
  name: "pr",
  summary: "pull requests: list, show, open, close, rerun checks, label, diff",
  usage: ["list | show | open | close | rerun | label | diff"],
  arguments: [],
  options: {},
  examples: ["ao pr list", "ao pr show my-app-fix-login"],
  details: "`ao review`, `ao approve` and `ao merge` do the rest.",
  subcommands: [list, show, open, close, rerun, label, diff],
});
