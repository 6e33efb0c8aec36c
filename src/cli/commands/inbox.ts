import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { formatAge } from "../duration.ts";
import { print, printJson } from "../print.ts";
import { style } from "../style.ts";
import { oneLine } from "../table.ts";

export const command = defineCommand({
  name: "inbox",
  summary: "what waits for a person, and the command that deals with it",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao inbox"],
  async run({ options }) {
    const answer = await connect().call("GET /api/inbox");
    if (options.json === true) return printJson(answer);
    if (answer.data.length === 0) return print("nothing waits for you");
    const paint = style(process.stdout);
    const items = answer.data.map((item) => {
      const age = formatAge(Date.now() - Date.parse(item.at));
      const choices = item.choices.length === 0 ? "" : `\n  choices: ${item.choices.map(oneLine).join(" | ")}`;
      const head = `${paint.yellow(item.sessionId)} ${paint.dim(`${item.kind}, ${age} ago`)}`;
      const aside = item.canAcknowledge ? paint.dim(`  or: ao ack ${item.id}`) : "";
      return `${head}\n  ${oneLine(item.text)}${choices}\n  ${paint.cyan(item.act)}${aside}`;
    });
    print(items.join("\n"));
  },
});
