import type { PullRequestView } from "../../../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";

/** The open pull request, else the last one. */
export function openPullRequest({ pullRequests }: Pick<SessionView, "pullRequests">): PullRequestView | null {
  return pullRequests.find(({ phase }) => phase === "open") ?? pullRequests.at(-1) ?? null;
}
