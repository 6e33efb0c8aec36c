import { defineCommand } from "../command.ts";
import { base, close, label, open, push, rerun } from "./pr/pull-request-changing.ts";
import { checks, diff, list, show } from "./pr/pull-request-reading.ts";

export const command = defineCommand({
  name: "pr",
  summary:
    "pull requests: list, show, follow checks, open, publish, change the base, close, re-run checks, label, diff",
  usage: ["list | show | checks | open | push | base | close | rerun | label | diff"],
  arguments: [],
  options: {},
  examples: ["ao pr list", "ao pr show my-app-fix-login"],
  details: "`ao review`, `ao approve` and `ao merge` do the rest.",
  subcommands: [list, show, checks, open, push, base, close, rerun, label, diff],
});
