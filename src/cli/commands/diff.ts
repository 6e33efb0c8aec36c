import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { printJson } from "../print.ts";
import { type Style, style } from "../style.ts";

export const command = defineCommand({
  name: "diff",
  summary: "a session's changes against its base, uncommitted ones included",
  usage: ["[SESSION] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: { json: JSON_OPTION },
  examples: ["ao diff my-app-fix-login", "ao diff 42 | git apply --check"],
  async run({ args: [session = ""], options }) {
    const answer = await connect().call("GET /api/sessions/:id/diff", { params: { id: session } });
    if (options.json === true) printJson(answer);
    else process.stdout.write(process.stdout.isTTY ? colorDiff(answer.diff, style(process.stdout)) : answer.diff);
  },
});

/** A diff in the colors that git uses. */
export function colorDiff(diff: string, paint: Style): string {
  return diff
    .split("\n")
    .map((line) => {
      if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return paint.bold(line);
      if (line.startsWith("@@")) return paint.cyan(line);
      if (line.startsWith("+")) return paint.green(line);
      return line.startsWith("-") ? paint.red(line) : line;
    })
    .join("\n");
}
