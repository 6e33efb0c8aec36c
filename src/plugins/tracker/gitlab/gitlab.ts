import { normalizeIssue } from "../../../core/name.ts";
import type { Host } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { addressOf, projectPathOf } from "../../../providers/gitlab/address.ts";
import { createGitlabClient } from "../../../providers/gitlab/client.ts";
import { examineAccess } from "../../../providers/gitlab/examine.ts";
import { TOKEN_VARIABLES } from "../../../providers/gitlab/token.ts";
import { inTurn } from "../../../providers/web/in-turn.ts";
import { writeComment } from "./comment.ts";
import { Config, type TrackerConfig } from "./config.ts";
import { getIssues, listIssues } from "./read.ts";
import { moveIssue } from "./transition.ts";
import { createIssue, editIssue } from "./write.ts";

/** Issues of a project on gitlab.com or a self-managed GitLab. */
export const gitlab = definePlugin({
  slot: "tracker",
  name: "gitlab",
  summary: "Issues of a project on GitLab",
  config: Config,
  requires: [],
  secrets: TOKEN_VARIABLES,
  create: (config, host) => createGitlabTracker(config, host),
});

function createGitlabTracker(config: TrackerConfig, host: Host): Tracker {
  const client = createGitlabClient(host, addressOf(config.baseUrl), projectPathOf(config.repo));
  const access = { client, config };
  // Edits of labels read, change and write: one after another, so that none is lost.
  const inOrder = inTurn();
  return {
    list: (filter) => listIssues(access, filter),
    get: (ids) => getIssues(access, ids),
    create: (issue) => createIssue(access, issue),
    edit: (id, patch) => inOrder(() => editIssue(access, id, patch)),
    transition: (id, stage) => inOrder(() => moveIssue(access, id, stage)),
    ...(config.comments ? { comment: (id, comment) => writeComment(access, id, comment) } : {}),
    closingWords: (id) => `Closes ${client.project}#${normalizeIssue(id)}`,
    examine: () => examineAccess(host, client),
  };
}
