import type { PullRequestDetailView } from "../../../protocol/views/pull-request.ts";
import { findPullRequest, PULL_ARGUMENT, pathOf } from "../../args/find-pull-request.ts";
import { misuse } from "../../args/usage-error.ts";
import { type Client, connect } from "../../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION, SESSION_ARGUMENT } from "../../command.ts";
import { print, printJson } from "../../views/print.ts";

export const open = defineCommand({
  name: "pr open",
  summary: "open the pull request of a session now",
  usage: ["[SESSION] [--title TEXT] [--body TEXT] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: {
    title: { type: "string", short: "t", value: "TEXT", summary: "its title, instead of the session's" },
    body: { type: "string", short: "b", value: "TEXT", summary: "its text" },
    json: JSON_OPTION,
  },
  examples: ['ao pr open my-app-fix-login --title "Fix the login form"'],
  details:
    "Rarely needed: ao opens one when a turn ends with new commits. It does not change one that is already open.",
  async run({ args: [id = ""], options: { title, body, json } }) {
    const input = { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) };
    const pull = await connect().call("POST /api/sessions/:id/pull-request", { params: { id }, input });
    tell(pull, `#${pull.number} is open: ${pull.title}`, json);
  },
});

export const push = defineCommand({
  name: "pr push",
  summary: "publish a local pull request on the project's forge",
  usage: ["PR [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao pr push my-app-fix-login"],
  details:
    "For pull requests from before the project had a forge: set `scm: github` or `scm: gitlab` first. ao pushes the branch and opens the " +
    "pull request there, or finds the one that is open for it. From then on it has the forge's number, checks and reviews.",
  async run({ args: [ref = ""], options: { project, json } }) {
    const { client, found } = await find(ref, project);
    const pull = await client.call("POST /api/pull-requests/:project/:number/publish", {
      params: pathOf(found),
      input: {},
    });
    const was = found.number === pull.number ? "" : ` (#${found.number} on this machine)`;
    tell(pull, `published as #${pull.number}${was}: ${pull.url ?? ""}`, json);
  },
});

export const base = defineCommand({
  name: "pr base",
  summary: "move a stacked pull request to the default branch",
  usage: ["PR BRANCH [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT, { name: "BRANCH", summary: "the project's default branch" }],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ['ao pr base "#8" main'],
  details:
    "Only needed if what it is stacked on will not be merged: after a merge, ao moves it. The commits of the other branch stay in it and become " +
    "part of this pull request. On GitHub and GitLab, change the base there.",
  async run({ args: [ref = "", branch = ""], options: { project, json } }) {
    const { client, found } = await find(ref, project);
    const pull = await client.call("POST /api/pull-requests/:project/:number/base", {
      params: pathOf(found),
      input: { base: branch },
    });
    tell(pull, `#${pull.number} goes into ${pull.base}`, json);
  },
});

export const close = defineCommand({
  name: "pr close",
  summary: "close a pull request without merging it; its branch stays",
  usage: ["PR [--reason TEXT] [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    reason: { type: "string", value: "TEXT", summary: "why" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ['ao pr close "#3" --reason "done another way"'],
  async run({ args: [ref = ""], options: { reason, project, json } }) {
    const { client, found } = await find(ref, project);
    const pull = await client.call("POST /api/pull-requests/:project/:number/close", {
      params: pathOf(found),
      input: reason === undefined ? {} : { reason },
    });
    tell(pull, `closed #${pull.number}`, json);
  },
});

export const rerun = defineCommand({
  name: "pr rerun",
  summary: "re-run a check, or all of them",
  usage: ["PR [CHECK] [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT, { name: "CHECK", summary: "its name; none: all that have ended", optional: true }],
  options: { project: PROJECT_OPTION, json: JSON_OPTION },
  examples: ["ao pr rerun my-app-fix-login unit"],
  async run({ args: [ref = "", check], options: { project, json } }) {
    const { client, found } = await find(ref, project);
    const pull = await client.call("POST /api/pull-requests/:project/:number/rerun", {
      params: pathOf(found),
      input: check === undefined ? {} : { check },
    });
    tell(pull, `re-running ${check === undefined ? "the checks" : `check \`${check}\``} of #${pull.number}`, json);
  },
});

export const label = defineCommand({
  name: "pr label",
  summary: "add or remove labels",
  usage: ["PR [--add LABEL ...] [--remove LABEL ...] [--project ID] [--json]"],
  arguments: [PULL_ARGUMENT],
  options: {
    add: { type: "string", value: "LABEL", multiple: true, summary: "a label to add" },
    remove: { type: "string", value: "LABEL", multiple: true, summary: "a label to remove" },
    project: PROJECT_OPTION,
    json: JSON_OPTION,
  },
  examples: ['ao pr label "#3" --add needs-tests --remove draft'],
  async run({ args: [ref = ""], options: { add = [], remove = [], project, json } }) {
    if (add.length + remove.length === 0) throw misuse("nothing to change", "ao pr label PR --add LABEL");
    const { client, found } = await find(ref, project);
    const params = pathOf(found);
    const pull = await client.call("POST /api/pull-requests/:project/:number/labels", {
      params,
      input: { add, remove },
    });
    tell(pull, `#${pull.number} has ${pull.labels.length === 0 ? "no labels" : pull.labels.join(", ")}`, json);
  },
});

async function find(
  ref: string,
  project: string | undefined,
): Promise<{ readonly client: Client; readonly found: PullRequestDetailView }> {
  const client = connect();
  return { client, found: await findPullRequest(client, ref, project) };
}

function tell(pull: PullRequestDetailView, text: string, json: boolean | undefined): void {
  if (json === true) printJson(pull);
  else print(text);
}
