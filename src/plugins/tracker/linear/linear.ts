import { normalizeIssue } from "../../../core/name.ts";
import type { Host } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { createLinearClient, TOKEN_VARIABLE } from "../../../providers/linear/client.ts";
import { inTurn } from "../../../providers/web/in-turn.ts";
import { writeComment } from "./comment.ts";
import { Config, type TrackerConfig } from "./config.ts";
import { examineAccess } from "./examine.ts";
import { getIssues, listIssues } from "./read.ts";
import { moveIssue } from "./transition.ts";
import { createIssue, editIssue } from "./write.ts";

/** Issues of a team on Linear. */
export const linear = definePlugin({
  slot: "tracker",
  name: "linear",
  summary: "Issues of a team on Linear",
  config: Config,
  requires: [],
  secrets: [TOKEN_VARIABLE],
  create: (config, host) => createLinearTracker(config, host),
});

function createLinearTracker(config: TrackerConfig, host: Host): Tracker {
  const access = { client: createLinearClient(host, config.baseUrl), config };
  // Writes check first, then write: one after another, so that no label is created twice and no edit is lost.
  const write = inTurn();
  return {
    list: (filter) => listIssues(access, filter),
    get: (ids) => getIssues(access, ids),
    create: (issue) => write(() => createIssue(access, issue)),
    edit: (id, patch) => write(() => editIssue(access, id, patch)),
    ...(config.comments ? { comment: (id, comment) => write(() => writeComment(access, id, comment)) } : {}),
    transition: (id, stage) => write(() => moveIssue(access, id, stage)),
    // Linear gets pull requests itself if it is connected to the forge.
    closingWords: (id) => `Fixes ${normalizeIssue(id).toUpperCase()}`,
    examine: () => examineAccess(host, access),
  };
}
