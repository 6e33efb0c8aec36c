import { failure } from "./failure.ts";
import { type Git, splitNul } from "./git.ts";

export interface BranchFact {
  readonly ref: string;
  readonly commit: string;
  /** Where it is checked out, if anywhere. */
  readonly checkedOutAt: string | null;
}

/** What is known of some refs, by full name, in one process; a ref that does not exist is absent. */
export async function readRefs(git: Git, cwd: string, refs: readonly string[]): Promise<Map<string, BranchFact>> {
  const wanted = new Set(refs);
  const format = "%(refname)%00%(objectname)%00%(worktreepath)%00";
  const { stdout } = await git({ cwd, args: ["for-each-ref", `--format=${format}`, ...wanted] });
  const fields = splitNul(stdout.replace(/\n$/, ""));
  const found = new Map<string, BranchFact>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    // Each record but the first begins with the line end of the one before.
    const ref = fields[at]!.replace(/^\n/, "");
    const path = fields[at + 2]!;
    if (wanted.has(ref)) found.set(ref, { ref, commit: fields[at + 1]!, checkedOutAt: path === "" ? null : path });
  }
  return found;
}

/** The refs a name may mean as a starting point, best first: the local branch, then the one of origin. */
export function startRefs(name: string): string[] {
  return [`refs/heads/${name}`, `refs/remotes/origin/${name}`];
}

/** The commit that a name means, by the refs that were read or by asking git. */
export async function resolveStart(
  git: Git,
  cwd: string,
  name: string,
  known: ReadonlyMap<string, BranchFact>,
): Promise<string> {
  for (const ref of startRefs(name)) {
    const fact = known.get(ref);
    if (fact !== undefined) return fact.commit;
  }
  const commit = await resolveCommit(git, cwd, name);
  if (commit !== null) return commit;
  if ((await resolveCommit(git, cwd, "HEAD")) === null) {
    throw failure("no-commits", "config", {
      message: `The repository at ${cwd} has no commit that a branch could start from.`,
      hint: "Make a first commit, then try again.",
    });
  }
  throw failure("git-failed", "config", {
    message: `Neither a branch nor a commit "${name}" exists in ${cwd}.`,
    hint: "Check the project's defaultBranch, or fetch the branch first.",
  });
}

/** The commit that a revision means, or null. */
export async function resolveCommit(git: Git, cwd: string, revision: string): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { code, stdout } = await git({ cwd, args, okCodes: [0, 1, 128] });
  // Old git echoes --end-of-options; the commit is the last line in every version.
  return code === 0 ? (stdout.trim().split("\n").at(-1) ?? null) : null;
}

/** Is one commit reachable from the other? */
export async function isAncestor(git: Git, cwd: string, commit: string, of: string): Promise<boolean> {
  const { code } = await git({ cwd, args: ["merge-base", "--is-ancestor", commit, of], okCodes: [0, 1] });
  return code === 0;
}
