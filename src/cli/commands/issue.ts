import { issueReference } from "../../core/name.ts";
import type { IssueView } from "../../protocol/views/project.ts";
import { resolveProject } from "../args/project-here.ts";
import { readText } from "../args/read-text.ts";
import { misuse } from "../args/usage-error.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { renderIssue, renderIssues } from "../views/issue-view.ts";
import { note, print, printJson } from "../views/print.ts";
import { style } from "../views/style.ts";

const STATES = ["open", "closed", "all"] as const;
const ISSUE_ARGUMENT = { name: "ISSUE", summary: "its number or key" } as const;

const TEXT_OPTIONS = {
  body: { type: "string", short: "b", value: "TEXT", summary: "its text" },
  "body-file": { type: "string", value: "FILE", summary: "its text from a file (- is stdin)" },
  label: { type: "string", short: "l", value: "LABEL", multiple: true, summary: "a label" },
  "depends-on": { type: "string", value: "N", multiple: true, summary: "an issue that must be closed first" },
  priority: { type: "string", value: "WORD", summary: "its priority" },
} as const;

const list = defineCommand({
  name: "issue list",
  summary: "list the issues of a project",
  usage: ["[--project ID] [--state open|closed|all] [--label LABEL] [--assignee NAME] [--json]"],
  arguments: [],
  options: {
    project: PROJECT_OPTION,
    state: { type: "string", short: "s", value: "STATE", summary: "open (the default), closed or all" },
    label: { type: "string", short: "l", value: "LABEL", summary: "only issues with this label" },
    assignee: { type: "string", value: "NAME", summary: "only issues of this assignee" },
    json: JSON_OPTION,
  },
  examples: ["ao issue list --project my-app"],
  async run({ options }) {
    const state = STATES.find((known) => known === (options.state ?? "open"));
    if (state === undefined) throw misuse(`unknown state "${options.state}"`, `--state ${STATES.join(", ")}`);
    const client = connect();
    const id = await resolveProject(client, options.project);
    const { label, assignee } = options;
    const filter = { ...(label === undefined ? {} : { label }), ...(assignee === undefined ? {} : { assignee }) };
    const input = { state, ...filter };
    const answer = await client.call("GET /api/projects/:id/issues", { params: { id }, input });
    for (const problem of answer.problems) note(`note: ${problem}`);
    if (options.json === true) return printJson({ data: answer.data });
    const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
    print(answer.data.length === 0 ? "no issues" : renderIssues(answer.data, style(process.stdout), columns));
  },
});

const create = defineCommand({
  name: "issue new",
  summary: "write an issue",
  usage: ['"TITLE" [--body TEXT] [--label L ...] [--depends-on N ...] [--project ID] [--json]'],
  arguments: [{ name: "TITLE", summary: "what it is about", text: true }],
  options: { project: PROJECT_OPTION, ...TEXT_OPTIONS, json: JSON_OPTION },
  examples: ['ao issue new "Login fails" --body "With an empty password." --label bug'],
  async run({ args: [title = ""], options }) {
    const client = connect();
    const id = await resolveProject(client, options.project);
    const input = { title, ...(await readChanges(options)) };
    showIssue(await client.call("POST /api/projects/:id/issues", { params: { id }, input }), options.json, "created");
  },
});

const show = defineCommand({
  name: "issue show",
  summary: "show one issue with its text",
  usage: ["ISSUE [--project ID] [--json]"],
  arguments: [ISSUE_ARGUMENT],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao issue show 3"],
  async run({ args: [issue = ""], options }) {
    const client = connect();
    const id = await resolveProject(client, options.project);
    const found = await client.call("GET /api/projects/:id/issues/:issue", { params: { id, issue: plain(issue) } });
    if (options.json === true) printJson(found);
    else print(renderIssue(found, style(process.stdout)));
  },
});

const edit = defineCommand({
  name: "issue edit",
  summary: "change an issue; labels and dependencies are replaced",
  usage: ["ISSUE [--title TEXT] [--body TEXT] [--label L ...] [--depends-on N ...] [--state open|closed] [--json]"],
  arguments: [ISSUE_ARGUMENT],
  options: {
    project: PROJECT_OPTION,
    title: { type: "string", short: "t", value: "TEXT", summary: "a new title" },
    ...TEXT_OPTIONS,
    state: { type: "string", short: "s", value: "STATE", summary: "open or closed" },
    json: JSON_OPTION,
  },
  examples: ["ao issue edit 3 --state open --label bug --label urgent"],
  async run({ args: [issue = ""], options }) {
    const { title, state } = options;
    if (state !== undefined && state !== "open" && state !== "closed") {
      throw misuse(`unknown state "${state}"`, "--state open or closed");
    }
    const input: Changes = {
      ...(title === undefined ? {} : { title }),
      ...(state === undefined ? {} : { state }),
      ...(await readChanges(options)),
    };
    if (Object.keys(input).length === 0)
      throw misuse("nothing to change", "ao issue edit --help lists what can change");
    await change(issue, options.project, input, options.json, "changed");
  },
});

const close = defineCommand({
  name: "issue close",
  summary: "close an issue",
  usage: ["ISSUE [--project ID] [--json]"],
  arguments: [ISSUE_ARGUMENT],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao issue close 3"],
  async run({ args: [issue = ""], options }) {
    await change(issue, options.project, { state: "closed" }, options.json, "closed");
  },
});

export const command = defineCommand({
  name: "issue",
  summary: "list, write and edit the project's issues",
  usage: ["list | new | show | edit | close"],
  arguments: [],
  options: {},
  examples: ['ao issue new "Login fails" --label bug', "ao issue list"],
  details: "Without --project: the project of the folder you are in.",
  subcommands: [list, create, show, edit, close],
});

interface TextOptions {
  readonly body?: string | undefined;
  readonly "body-file"?: string | undefined;
  readonly label?: readonly string[] | undefined;
  readonly "depends-on"?: readonly string[] | undefined;
  readonly priority?: string | undefined;
}

interface Changes {
  readonly title?: string;
  readonly body?: string;
  readonly state?: "open" | "closed";
  readonly labels?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly priority?: string;
}

async function readChanges(options: TextOptions): Promise<Changes> {
  const file = options["body-file"];
  if (file !== undefined && options.body !== undefined)
    throw misuse("--body and --body-file together", "Give one of them.");
  const body = file === undefined ? options.body : await readText(file);
  return {
    ...(body === undefined ? {} : { body }),
    ...(options.label === undefined ? {} : { labels: options.label }),
    ...(options["depends-on"] === undefined ? {} : { dependsOn: options["depends-on"].map(plain) }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
  };
}

async function change(
  issue: string,
  project: string | undefined,
  input: Changes,
  json: boolean | undefined,
  did: string,
): Promise<void> {
  const client = connect();
  const id = await resolveProject(client, project);
  const params = { id, issue: plain(issue) };
  showIssue(await client.call("PATCH /api/projects/:id/issues/:issue", { params, input }), json, did);
}

function showIssue(issue: IssueView, json: boolean | undefined, did: string): void {
  if (json === true) printJson(issue);
  else print(`${did} ${issueReference(issue.id)}: ${issue.title}`);
}

/** People write 3 as `#3`. */
function plain(issue: string): string {
  return issue.replace(/^#/, "");
}
