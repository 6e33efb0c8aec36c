import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

export interface PullRequestRef {
  readonly project: string;
  readonly number: string;
}

/** How the API finds a pull request by its key: a number may be that of two, one on the forge and one on this machine. */
export function pullRequestRef(key: string): PullRequestRef {
  const slash = key.lastIndexOf("/");
  return { project: key.slice(0, slash), number: key.slice(slash + 1) };
}

export const pullRequestQuery = ({ project, number }: PullRequestRef) =>
  queryOptions({
    queryKey: ["pull-request", `${project}/${number}`],
    queryFn: ({ signal }) => call("GET /api/pull-requests/:project/:number", { params: { project, number }, signal }),
  });

/** The diff of the commit on screen: a newer commit is another diff, which is loaded only on request. */
export const pullRequestDiffQuery = ({ project, number }: PullRequestRef, head: string, since: string | null = null) =>
  queryOptions({
    queryKey: ["pull-request-diff", `${project}/${number}`, head, since],
    queryFn: ({ signal }) =>
      call("GET /api/pull-requests/:project/:number/diff", {
        params: { project, number },
        input: since === null ? {} : { since },
        signal,
      }),
  });
