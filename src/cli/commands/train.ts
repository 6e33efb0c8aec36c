import type { TrainBody } from "../../protocol/bodies/daemon.ts";
import { resolveProject } from "../args/project-here.ts";
import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { style } from "../views/style.ts";
import { renderTrain } from "../views/train-view.ts";

const OPTIONS = { project: PROJECT_OPTION, json: JSON_OPTION } as const;

/** Changes the train of the named project, and prints the result. */
async function steer(
  options: { readonly project?: string | undefined; readonly json?: boolean | undefined },
  body: TrainBody,
) {
  const client = connect();
  const project = await resolveProject(client, options.project);
  const train = await client.call("POST /api/train/:project", { params: { project }, input: body });
  if (options.json === true) return printJson(train);
  print(renderTrain(train, style(process.stdout)).join("\n"));
}

const pause = defineCommand({
  name: "train pause",
  summary: "merge nothing until the train is resumed; running checks continue",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: OPTIONS,
  examples: ["ao train pause --project my-app"],
  run: ({ options }) => steer(options, { paused: true }),
});

const resume = defineCommand({
  name: "train resume",
  summary: "resume a paused train",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: OPTIONS,
  examples: ["ao train resume --project my-app"],
  run: ({ options }) => steer(options, { paused: false }),
});

const move = defineCommand({
  name: "train move",
  summary: "move a pull request to another place in the train",
  usage: ["NUMBER PLACE [--project ID] [--json]"],
  arguments: [
    { name: "NUMBER", summary: "the pull request: 7 or #7" },
    { name: "PLACE", summary: "its place; 1 is the next" },
  ],
  options: OPTIONS,
  examples: ["ao train move 7 1 --project my-app"],
  run: ({ args: [number = "", place = ""], options }) => {
    const [what, to] = [number.replace(/^#/, ""), place].map(Number);
    if (!isPlace(what) || !isPlace(to)) throw misuse("expected two numbers", "For example: ao train move 7 1");
    return steer(options, { move: { number: what, to } });
  },
});

function isPlace(value: number | undefined): value is number {
  return Number.isInteger(value) && (value ?? 0) > 0;
}

export const command = defineCommand({
  name: "train",
  summary: "show the merge train: the batch being checked on the newest base, and what is waiting",
  usage: ["[--project ID] [--json]"],
  arguments: [],
  options: OPTIONS,
  examples: ["ao train"],
  details:
    "With the local forge, requested merges go one at a time: ao builds each on the newest base, checks exactly that result, and only then\n" +
    "merges it. `ao merge PR` puts a pull request in, `ao merge PR --cancel` takes it out.",
  subcommands: [pause, resume, move],
  async run({ options }) {
    const input = options.project === undefined ? {} : { project: options.project };
    const answer = await connect().call("GET /api/train", { input });
    if (options.json === true) return printJson(answer);
    const shown = answer.data.filter(({ isOn }) => isOn);
    if (shown.length === 0) return print("no project has a merge train");
    print(shown.flatMap((train) => renderTrain(train, style(process.stdout))).join("\n"));
  },
});
