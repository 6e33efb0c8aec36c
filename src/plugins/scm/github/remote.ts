import type { RemoteForge } from "../../../ports/scm.ts";
import { markOf } from "../../../providers/forge/comment-mark.ts";
import { createYoungCommits } from "../../../providers/forge/young-commits.ts";
import { fetchBase, fetchBranch, pushBranch } from "../../../providers/git/scm/remote-repository.ts";
import { keepComment } from "../../../providers/github/keep-comment.ts";
import { readCheckLog } from "./check-log.ts";
import type { GithubScmConfig } from "./config.ts";
import { findPull } from "./find-pull.ts";
import { isProtected } from "./is-protected.ts";
import { toObservation } from "./observe.ts";
import { createPullReader } from "./read-pulls.ts";
import type { GithubTools } from "./tools.ts";
import { applyWrite } from "./writes.ts";

const STATUS_MARK = markOf("status").trim();

/** What GitHub reports, and what is written to it. */
export function createRemote(tools: GithubTools, settings: GithubScmConfig): RemoteForge {
  const readPulls = createPullReader(tools);
  const isYoung = createYoungCommits(tools.host.clock);
  return {
    claims: {
      find: (_project, number) => findPull(tools, number),
      fetchBranch: (project, branch, from) => fetchBranch(tools, project, { branch, from }),
    },
    isProtected: (_project, branch) => isProtected(tools, branch),
    fetchBase: (project) => fetchBase(tools, project),
    publish: (request) => pushBranch(tools, request.project, request),
    readChanges: async (project, changes) => {
      const { pulls, ...base } = await readPulls(project, changes);
      return pulls.map((pull) => toObservation(pull, { ...base, isYoung: isYoung(pull.headRefOid) }));
    },
    readCheckLog: (_project, check) => readCheckLog(tools, check),
    ...(settings.statusComment
      ? {
          showStatus: (_project, number, text) =>
            keepComment(tools.client, { repository: tools.repository, number, text, mark: STATUS_MARK }),
        }
      : {}),
    write: ({ number, write }) => applyWrite(tools, number, write),
  };
}
