import { InvariantError } from "../../core/errors.ts";
import type { RemoteForge } from "../../ports/scm.ts";
import type { EffectDeps } from "../executor.ts";

/** The remote forge of a project whose pull requests are there. */
export function requireRemote(deps: EffectDeps, projectId: string): RemoteForge {
  const { remote } = deps.scmOf(projectId);
  if (remote === undefined) throw new InvariantError(`the pull requests of ${projectId} are not on a remote forge`);
  return remote;
}
