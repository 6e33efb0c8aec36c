import { failure } from "./failure.ts";
import { type Git, splitNul } from "./git.ts";

/** Commits by full ref name; a ref that does not exist is absent. */
export type RefCommits = ReadonlyMap<string, string>;

/** The commits of some refs, in one process. */
export async function readRefs(git: Git, cwd: string, refs: readonly string[]): Promise<RefCommits> {
  const wanted = new Set(refs);
  const { stdout } = await git({ cwd, args: ["for-each-ref", "--format=%(objectname) %(refname)", ...wanted] });
  const pairs = stdout.split("\n").map((line) => [line.slice(line.indexOf(" ") + 1), line.split(" ")[0]!] as const);
  return new Map(pairs.filter(([ref]) => wanted.has(ref)));
}

/**
 * Where a branch is checked out, or null. Git scans all worktrees for this and fails on one that is just being added,
 * so call it in the repository's lane.
 */
export async function findCheckout(git: Git, cwd: string, branch: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const { stdout } = await git({ cwd, args: ["for-each-ref", "--format=%(refname)%00%(worktreepath)%00", ref] });
  const fields = splitNul(stdout.replace(/\n$/, "")).map((field) => field.replace(/^\n/, ""));
  const at = fields.indexOf(ref);
  return at < 0 || fields[at + 1] === "" ? null : (fields[at + 1] ?? null);
}

/** The branch that a branch stands for as a symbolic ref, as every commit on it would move that one; null: it is none. */
export async function findTarget(git: Git, cwd: string, branch: string): Promise<string | null> {
  const args = ["symbolic-ref", "--quiet", `refs/heads/${branch}`];
  const { code, stdout } = await git({ cwd, args, okCodes: [0, 1, 128] });
  return code === 0 ? stdout.trim().replace(/^refs\/heads\//, "") : null;
}

/** The short names of local and remote branches that differ from a name at most in case. */
export async function findSpellings(git: Git, cwd: string, name: string): Promise<readonly string[]> {
  const patterns = [`refs/heads/${name}`, `refs/remotes/*/${name}`];
  const args = ["for-each-ref", "--ignore-case", "--format=%(refname)", ...patterns];
  const { stdout } = await git({ cwd, args });
  return splitLines(stdout).map((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, ""));
}

function splitLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** The error for a branch that is in use elsewhere. */
export function branchTaken(branch: string, path: string, cause?: unknown): Error {
  return failure("branch-taken", "conflict", {
    message: `The branch ${branch} is checked out at ${path}.`,
    hint: "Switch that checkout to another branch (or run git worktree prune if it is gone), or choose another branch.",
    data: { branch, path },
    cause,
  });
}

/** The refs that a name may mean as a starting point, best first: the local branch, then origin's. */
export function startRefs(name: string): string[] {
  return [`refs/heads/${name}`, `refs/remotes/origin/${name}`];
}

/** The commit that a name means, from the refs already read or from git. */
export async function resolveStart(
  git: Git,
  cwd: string,
  { name, known }: { readonly name: string; readonly known: RefCommits },
): Promise<string> {
  for (const ref of startRefs(name)) {
    const commit = known.get(ref);
    if (commit !== undefined) return commit;
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

async function resolveCommit(git: Git, cwd: string, revision: string): Promise<string | null> {
  // `--end-of-options` would need git 2.30.
  if (revision.startsWith("-")) return null;
  const args = ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`];
  const { code, stdout } = await git({ cwd, args, okCodes: [0, 1, 128] });
  return code === 0 ? stdout.trim() : null;
}

/** Is one commit reachable from another? */
export async function isAncestor(
  git: Git,
  cwd: string,
  { commit, of }: { readonly commit: string; readonly of: string },
): Promise<boolean> {
  const { code } = await git({ cwd, args: ["merge-base", "--is-ancestor", commit, of], okCodes: [0, 1] });
  return code === 0;
}
