import { connect } from "../client/client.ts";
import { registerProject, reportRegistered } from "../client/register-project.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "add-project",
  summary: "register a repository and write its configuration on first use",
  usage: ["PATH [--config FILE] [--json]"],
  arguments: [{ name: "PATH", summary: "a folder of the repository" }],
  options: {
    config: { type: "string", value: "FILE", summary: "agent-orchestrator.yaml, if it is not in the repository" },
    json: JSON_OPTION,
  },
  examples: ["ao add-project ~/code/my-app"],
  async run({ args: [path = "."], options }) {
    const registered = await registerProject(connect(), { path, config: options.config });
    if (options.json === true) printJson(registered);
    else reportRegistered(registered);
  },
});
