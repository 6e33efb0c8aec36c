import type { RemoteForge } from "../../../ports/scm.ts";
import { markOf } from "../../../providers/forge/comment-mark.ts";
import { createYoungCommits } from "../../../providers/forge/young-commits.ts";
import { fetchBase, fetchBranch, pushBranch } from "../../../providers/git/scm/remote-repository.ts";
import { keepNote } from "../../../providers/gitlab/keep-note.ts";
import { readCheckLog } from "./check-log.ts";
import type { GitlabScmConfig } from "./config.ts";
import { findMergeRequest } from "./find-merge-request.ts";
import { isProtected } from "./is-protected.ts";
import { toObservation } from "./observe.ts";
import { createMergeRequestReader } from "./read-merge-requests.ts";
import type { GitlabTools } from "./tools.ts";
import { applyWrite } from "./writes.ts";

const STATUS_MARK = markOf("status").trim();

/** What GitLab reports, and what is written to it. */
export function createRemote(tools: GitlabTools, settings: GitlabScmConfig): RemoteForge {
  const readMergeRequests = createMergeRequestReader(tools);
  const isYoung = createYoungCommits(tools.host.clock);
  return {
    claims: {
      find: (_project, number) => findMergeRequest(tools, number),
      fetchBranch: (project, branch, from) => fetchBranch(tools, project, { branch, from }),
    },
    // Pipelines of a fork run in the fork, whose webhooks go elsewhere.
    webhooksMissForks: true,
    isProtected: (_project, branch) => isProtected(tools, branch),
    fetchBase: (project) => fetchBase(tools, project),
    publish: (request) => pushBranch(tools, request.project, request),
    readChanges: async (project, changes) => {
      const found = await readMergeRequests(project, changes);
      return found.map((read) => toObservation(read, isYoung(read.record.sha ?? "")));
    },
    readCheckLog: (_project, check) => readCheckLog(tools, check),
    ...(settings.statusComment
      ? {
          showStatus: (_project, number, text) => {
            const path = `/projects/:id/merge_requests/${number}/notes`;
            return keepNote(tools.client, { path, text, mark: STATUS_MARK });
          },
        }
      : {}),
    write: ({ number, write }) => applyWrite(tools, number, write),
  };
}
