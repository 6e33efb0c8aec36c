import { AoError } from "../../core/errors.ts";
import type { PullRequestDetailView, PullRequestView } from "../../protocol/views/pull-request.ts";
import type { Client } from "../client/client.ts";
import { isEnclosed } from "../client/is-enclosed.ts";

/** How to write a pull request; for the help of every command that takes one. */
export const PULL_ARGUMENT = {
  name: "PR",
  summary: "a session, #3, 3 (in the project you are in), or project/3; default: the worktree you are in",
  names: "pull-request",
  orHere: true,
} as const;

/** The pull request that a person means. */
export function findPullRequest(
  client: Client,
  ref: string,
  project?: string | undefined,
): Promise<PullRequestDetailView> {
  if (isEnclosed()) return findOwn(client, ref);
  const input = { ref, cwd: process.cwd(), ...(project === undefined ? {} : { project }) };
  return client.call("GET /api/pull-requests/find", { input });
}

// In a sandbox the daemon tells a session about itself only.
async function findOwn(client: Client, ref: string): Promise<PullRequestDetailView> {
  const id = process.env["AO_SESSION"] ?? "";
  const pull = await client.call("GET /api/sessions/:id/pull-request", { params: { id } });
  const names = [id, pull.key, `#${pull.number}`, String(pull.number)];
  if (names.includes(ref) || (ref !== "" && id.startsWith(ref))) return pull;
  throw new AoError({
    code: "forbidden",
    message: `a session in a sandbox reaches only its own pull request, #${pull.number}`,
    hint: "A person does everything else, outside the session.",
  });
}

/** What people type for a pull request: its session, else its full name. */
export function nameOf(pull: Pick<PullRequestView, "sessionId" | "key">): string {
  return pull.sessionId ?? pull.key;
}

/** The parts of the path to a pull request: by its key, since a number may be that of two. */
export function pathOf({ projectId, key }: Pick<PullRequestView, "projectId" | "key">): {
  project: string;
  number: string;
} {
  return { project: projectId, number: key.slice(projectId.length + 1) };
}
