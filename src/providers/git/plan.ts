import type { CreateWorkspace } from "../../ports/workspace.ts";
import { listSaved, type Preserved } from "./preserved.ts";
import { findCheckout, type RefCommits, readRefs, resolveStart, startRefs } from "./refs.ts";
import type { Tools } from "./tools.ts";

/** How a worktree is to be made, decided before anything is changed. */
export interface Plan {
  /** Arguments of `git worktree add` that say what HEAD is to be. */
  readonly addArgs: (path: string) => readonly string[];
  readonly head: string;
  readonly baseCommit: string;
  readonly saved: Preserved | null;
  readonly notes: readonly string[];
}

/** Reads the refs that matter and decides what HEAD will be; never plans to move a branch. */
export async function planWorktree(tools: Tools, request: CreateWorkspace, commonDir: string): Promise<Plan> {
  const { project, branch } = request;
  const base = request.base ?? project.defaultBranch;
  const branchRef = `refs/heads/${branch}`;
  const known = await readRefs(tools.git, project.path, [branchRef, ...startRefs(base)]);
  const saved = request.restore ? (await listSaved(tools.git, project.path, request.sessionId)).current : null;
  const existing = known.get(branchRef);
  if (saved !== null && saved.branch !== branch) return planElsewhere(tools, request, saved, commonDir);
  if (existing !== undefined) {
    const baseCommit = await forkPoint(tools, request, existing, known);
    return { addArgs: (path) => [path, branch], head: existing, baseCommit, saved, notes: [] };
  }
  const start = saved?.head ?? (await resolveStart(tools.git, project.path, base, known));
  const baseCommit = saved === null ? start : await forkPoint(tools, request, saved.head, known);
  const gone = saved === null ? `started again from ${base}` : `rebuilt at its saved commit ${start.slice(0, 12)}`;
  return {
    addArgs: (path) => ["--no-track", "-b", branch, path, start],
    head: start,
    baseCommit,
    saved,
    notes: request.restore ? [`The branch ${branch} was gone and has been ${gone}.`] : [],
  };
}

/** The state was saved on no branch, or on another one: HEAD goes back to where it was, and the session's branch stays. */
async function planElsewhere(
  tools: Tools,
  request: CreateWorkspace,
  saved: Preserved,
  commonDir: string,
): Promise<Plan> {
  const cwd = request.project.path;
  const base = request.base ?? request.project.defaultBranch;
  const other = saved.branch;
  const refs = [...startRefs(base), ...(other === null ? [] : [`refs/heads/${other}`])];
  const known = await readRefs(tools.git, cwd, refs);
  const baseCommit = await forkPoint(tools, request, saved.head, known);
  if (other !== null && known.get(`refs/heads/${other}`) === saved.head) {
    if ((await tools.lane(commonDir, () => findCheckout(tools.git, cwd, other))) === null) {
      const note = `The saved work was on branch ${other}, not ${request.branch}; it is back there.`;
      return { addArgs: (path) => [path, other], head: saved.head, baseCommit, saved, notes: [note] };
    }
  }
  const note = `HEAD is detached at ${saved.head.slice(0, 12)}, where the saved work was made; ${request.branch} stays as it is.`;
  return { addArgs: (path) => ["--detach", path, saved.head], head: saved.head, baseCommit, saved, notes: [note] };
}

async function forkPoint(tools: Tools, request: CreateWorkspace, head: string, known: RefCommits): Promise<string> {
  const base = request.base ?? request.project.defaultBranch;
  const start = startRefs(base)
    .map((ref) => known.get(ref))
    .find((found) => found !== undefined);
  if (start === head) return head;
  const args = ["merge-base", head, start ?? base];
  const { code, stdout } = await tools.git({ cwd: request.project.path, args, okCodes: [0, 1, 128] });
  // Unrelated histories, or a base that is gone: the branch is its own beginning.
  return code === 0 ? stdout.trim() : head;
}
