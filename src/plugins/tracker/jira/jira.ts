import type { Host } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { TOKEN_VARIABLES } from "../../../providers/jira/address.ts";
import { createJiraClient } from "../../../providers/jira/client.ts";
import { inTurn } from "../../../providers/web/in-turn.ts";
import { writeComment } from "./comment.ts";
import { Config, type TrackerConfig } from "./config.ts";
import { examineAccess } from "./examine.ts";
import { getIssues, listIssues } from "./read.ts";
import { moveIssue } from "./transition.ts";
import { createIssue, editIssue } from "./write.ts";

/** Issues of a project on Jira Cloud, Server or Data Center. */
export const jira = definePlugin({
  slot: "tracker",
  name: "jira",
  summary: "Issues of a project on Jira",
  config: Config,
  requires: [],
  secrets: TOKEN_VARIABLES,
  create: (config, host) => createJiraTracker(config, host),
});

function createJiraTracker(config: TrackerConfig, host: Host): Tracker {
  const access = { client: createJiraClient(host, config), config };
  // Writes check first, then write: one after another, so that no comment is written twice and no edit is lost.
  const write = inTurn();
  return {
    list: (filter) => listIssues(access, filter),
    get: (ids) => getIssues(access, ids),
    create: (issue) => write(() => createIssue(access, issue)),
    edit: (id, patch) => write(() => editIssue(access, id, patch)),
    ...(config.comments ? { comment: (id, comment) => write(() => writeComment(access, id, comment)) } : {}),
    transition: (id, stage) => write(() => moveIssue(access, id, stage)),
    examine: () => examineAccess(host, access),
  };
}
