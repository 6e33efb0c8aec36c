import { normalizeIssue } from "../../../core/name.ts";
import type { Host } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { addressOf, repositoryOf } from "../../../providers/github/address.ts";
import { APP_VARIABLES } from "../../../providers/github/app.ts";
import { createGithubClient } from "../../../providers/github/client.ts";
import { examineAccess } from "../../../providers/github/examine.ts";
import { TOKEN_VARIABLES } from "../../../providers/github/token.ts";
import { inTurn } from "../../../providers/web/in-turn.ts";
import { writeComment } from "./comment.ts";
import { Config, type TrackerConfig } from "./config.ts";
import { getIssues, listIssues } from "./read.ts";
import { createIssue, editIssue } from "./write.ts";

/** Issues of a repository on GitHub or GitHub Enterprise. */
export const github = definePlugin({
  slot: "tracker",
  name: "github",
  summary: "Issues of a repository on GitHub",
  config: Config,
  requires: [],
  secrets: [...TOKEN_VARIABLES, ...APP_VARIABLES],
  create: (config, host) => createGithubTracker(config, host),
});

function createGithubTracker(config: TrackerConfig, host: Host): Tracker {
  const repository = repositoryOf(config.repo);
  const client = createGithubClient(host, { address: addressOf(config.baseUrl), repository });
  const access = { client, repository, config };
  // Edits of labels read, change and write: one after another, so that none is lost.
  const inOrder = inTurn();
  return {
    list: (filter) => listIssues(access, filter),
    get: (ids) => getIssues(access, ids),
    create: (issue) => createIssue(access, issue),
    edit: (id, patch) => inOrder(() => editIssue(access, id, patch)),
    ...(config.comments ? { comment: (id, comment) => writeComment(access, id, comment) } : {}),
    closingWords: (id) => `Fixes ${repository.owner}/${repository.repo}#${normalizeIssue(id)}`,
    examine: () => examineAccess(host, client, repository),
  };
}
