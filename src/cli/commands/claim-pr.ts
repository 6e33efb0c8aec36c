import { resolve } from "node:path";
import { misuse } from "../args/usage-error.ts";
import { callerEnvironment } from "../client/caller-environment.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { withProgress } from "../views/print.ts";
import { chooseProject } from "./new/choose-project.ts";
import { reportNew } from "./new/new-report.ts";

export const command = defineCommand({
  name: "claim-pr",
  summary: "start a session that takes over an open pull request of the forge",
  usage: ["NUMBER [-m TEXT ...] [options]"],
  arguments: [{ name: "NUMBER", summary: "the pull request, as the forge numbers it" }],
  options: {
    message: {
      type: "string",
      short: "m",
      value: "TEXT",
      multiple: true,
      summary: "what the agent should do with it; one paragraph each",
    },
    project: PROJECT_OPTION,
    agent: { type: "string", value: "NAME", summary: "the agent, instead of the project's" },
    model: { type: "string", value: "NAME", summary: "the model, instead of the project's" },
    now: { type: "boolean", summary: "start even if all slots are taken" },
    json: JSON_OPTION,
  },
  examples: ["ao claim-pr 17", 'ao claim-pr 17 -m "Add the missing tests."'],
  details:
    "The session works on the pull request's own branch. Failed checks and reviews reach its agent, and ao merges it, as if ao had\n" +
    "opened it. Without --message the agent reads the pull request and waits for checks and reviews.",
  async run({ args: [written = ""], options }) {
    const pullRequest = readNumber(written);
    const client = connect();
    const projectId = await chooseProject(client, options.project);
    const { message: messages = [] } = options;
    const input = {
      pullRequest,
      ...(projectId === undefined ? {} : { projectId }),
      ...(messages.length === 0 ? {} : { prompt: messages.join("\n\n") }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.now === true ? { now: true } : {}),
      wait: true,
      cwd: resolve("."),
      env: await callerEnvironment(client),
    };
    const created = Promise.allSettled([client.call("POST /api/sessions", { input })]);
    reportNew(await withProgress("fetching the branch", created), options.json === true);
  },
});

function readNumber(written: string): number {
  const digits = /^#?(\d{1,9})$/.exec(written)?.[1];
  const number = Number(digits ?? 0);
  if (number > 0) return number;
  throw misuse(`not the number of a pull request: ${written}`, "ao claim-pr 17");
}
