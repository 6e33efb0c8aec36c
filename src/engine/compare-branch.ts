import type { BranchReading } from "../core/intent.ts";
import type { SessionState } from "../core/session/state.ts";
import type { Scm, ScmProject } from "../ports/scm.ts";

/** How a session's branch compares to what it builds on: the branch it is stacked on, or the default one; null: no such branch. */
export async function compareBranch(
  scm: Scm,
  project: ScmProject,
  { branch, stackedOn }: Pick<SessionState, "branch" | "stackedOn">,
): Promise<BranchReading | null> {
  // What it is stacked on may have been deleted.
  const on = stackedOn === undefined || (await scm.readHead(project, stackedOn.branch)) === null ? null : stackedOn;
  const facts = await scm.readBranch(project, branch, on?.branch ?? project.defaultBranch);
  return facts === null || on === null ? facts : { ...facts, isStacked: true };
}
