import type { RemoteForge } from "../../../ports/scm.ts";
import { createYoungCommits } from "../../../providers/forge/young-commits.ts";
import { fetchBase, fetchBranch, pushBranch } from "../../../providers/git/scm/remote-repository.ts";
import { readCheckLog } from "./check-log.ts";
import { findMergeRequest } from "./find-merge-request.ts";
import { toObservation } from "./observe.ts";
import { createMergeRequestReader } from "./read-merge-requests.ts";
import type { GitlabTools } from "./tools.ts";
import { applyWrite } from "./writes.ts";

/** What GitLab reports, and what it is given. */
export function createRemote(tools: GitlabTools): RemoteForge {
  const readMergeRequests = createMergeRequestReader(tools);
  const isYoung = createYoungCommits(tools.host.clock);
  return {
    claims: {
      find: (_project, number) => findMergeRequest(tools, number),
      fetchBranch: (project, branch) => fetchBranch(tools, project, branch),
    },
    fetchBase: (project) => fetchBase(tools, project),
    publish: (request) => pushBranch(tools, request.project, request),
    readChanges: async (project, changes) => {
      const numbers = changes.map(({ number }) => number);
      const found = await readMergeRequests(project, numbers);
      return found.map((read) => toObservation(read, isYoung(read.record.sha ?? "")));
    },
    readCheckLog: (_project, check) => readCheckLog(tools, check),
    write: ({ number, write }) => applyWrite(tools, number, write),
  };
}
