import { defineCommand, JSON_OPTION } from "../command.ts";
import { readVersion } from "../version.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "version",
  summary: "print the version",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao version"],
  async run({ options }) {
    if (options.json === true) printJson({ version: readVersion() });
    else print(readVersion());
  },
});
