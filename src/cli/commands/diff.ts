import { writeOutHidden } from "../../core/hidden-characters.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { NO_PAGER_OPTION, page } from "../views/pager.ts";
import { printJson, write } from "../views/print.ts";
import { type Style, style } from "../views/style.ts";

export const command = defineCommand({
  name: "diff",
  summary: "a session's changes against its base, uncommitted ones included",
  usage: ["[SESSION] [--no-pager] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: { "no-pager": NO_PAGER_OPTION, json: JSON_OPTION },
  examples: ["ao diff my-app-fix-login", "ao diff 42 | git apply --check"],
  details:
    "On a terminal, control and bidi characters are escaped, such as \\x1b and \\u202e; in a pipe or file the\n" +
    "diff is exactly what git prints.",
  async run({ args: [session = ""], options }) {
    const answer = await connect().call("GET /api/sessions/:id/diff", { params: { id: session } });
    if (options.json === true) printJson(answer);
    else if (process.stdout.isTTY) await page(colorDiff(answer.diff, style(process.stdout)), options["no-pager"]);
    else write(process.stdout, answer.diff);
  },
});

/** A diff in git's colors, with terminal escapes made visible. */
export function colorDiff(diff: string, paint: Style): string {
  return writeOutHidden(diff)
    .split("\n")
    .map((line) => {
      if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return paint.bold(line);
      if (line.startsWith("@@")) return paint.cyan(line);
      if (line.startsWith("+")) return paint.green(line);
      return line.startsWith("-") ? paint.red(line) : line;
    })
    .join("\n");
}
