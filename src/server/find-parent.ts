import { AoError } from "../core/errors.ts";
import type { World } from "../core/world.ts";
import { findPullRequest } from "./find-pull-request.ts";
import { findSession } from "./find-session.ts";

/** The id of the session whose work a person wants to build on: `#7` and `7` name its pull request, anything else the session. */
export function findParent(world: World, written: string, projectId: string | null): string {
  if (!/^(?:.+\/)?#?\d+$/.test(written)) return findSession(world, written).id;
  const { sessionId, number } = findPullRequest(world, written, projectId);
  if (sessionId !== null) return sessionId;
  throw new AoError({
    code: "conflict",
    message: `#${number} has no session, so nothing can build on it.`,
    hint: "Leave out --on to start from the default branch.",
  });
}
