import { AoError } from "../core/errors.ts";
import { isSameBranch, shortName } from "../core/session/own-branch.ts";
import type { World } from "../core/world.ts";
import { findPullRequest } from "./find-pull-request.ts";
import { findSession } from "./find-session.ts";

/** The id of the session whose work a person wants to build on: `#7` and `7` name its pull request, anything else the session. */
export function findParent(world: World, written: string, projectId: string | null): string {
  refuseDefaultBranch(world, written, projectId);
  if (!/^(?:.+\/)?#?\d+$/.test(written)) return findSession(world, written).id;
  const { sessionId, number } = findPullRequest(world, written, projectId);
  if (sessionId !== null) return sessionId;
  throw new AoError({
    code: "conflict",
    message: `#${number} has no session, so nothing can build on it.`,
    hint: "Leave out --on to start from the default branch.",
  });
}

// `--on main` is what others call the base.
function refuseDefaultBranch(world: World, written: string, projectId: string | null): void {
  const project = projectId === null ? undefined : world.project(projectId);
  if (project === undefined || world.session(written) !== undefined) return;
  if (!isSameBranch(shortName(written), project.defaultBranch)) return;
  throw new AoError({
    code: "usage",
    message: `${project.defaultBranch} is the default branch of ${project.id}; every session starts from it.`,
    hint: "Leave out --on, which names a session or a pull request.",
  });
}
