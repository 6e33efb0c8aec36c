import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../print.ts";

export const command = defineCommand({
  name: "config-help",
  summary: "every key of agent-orchestrator.yaml",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao config-help | less"],
  async run({ options }) {
    const { describeConfig, listKeys } = await import("../../config/help.ts");
    if (options.json === true) printJson({ data: listKeys() });
    else print(describeConfig());
  },
});
