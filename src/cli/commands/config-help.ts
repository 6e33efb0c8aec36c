import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "config-help",
  summary: "list the keys of agent-orchestrator.yaml",
  usage: ["[--all] [--json]"],
  arguments: [],
  options: { all: { type: "boolean", summary: "also keys that are not implemented yet" }, json: JSON_OPTION },
  examples: ["ao config-help | less"],
  async run({ options }) {
    const { describeConfig, listKeys } = await import("../../config/help.ts");
    const all = options.all === true;
    if (options.json === true) printJson({ data: listKeys().filter((key) => all || key.inEffect) });
    else print(describeConfig({ all }));
  },
});
