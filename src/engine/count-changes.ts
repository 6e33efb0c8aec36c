import type { LineCount, SessionState } from "../core/session/state.ts";
import type { BranchFacts, Scm, ScmProject } from "../ports/scm.ts";

const NOTHING: LineCount = { added: 0, removed: 0, files: 0 };

/**
 * The size of a branch's changes, as part of an observation. Starts a process only for a commit that was not counted
 * before.
 */
export async function countChanges({
  scm,
  project,
  session,
  branch,
}: {
  readonly scm: Scm;
  readonly project: ScmProject;
  readonly session: SessionState;
  readonly branch: BranchFacts;
}): Promise<{ readonly lines?: LineCount }> {
  if (branch.ahead === 0) return { lines: NOTHING };
  const { branchSeen } = session;
  if (branchSeen?.head === branch.head && branchSeen.lines !== undefined) return { lines: branchSeen.lines };
  // Numbers for people: an observation without them still counts.
  return scm.countChanges(project, { head: branch.head, base: branch.baseHead }).then(
    ({ added, removed, files }) => ({ lines: { added, removed, files } }),
    () => ({}),
  );
}
