import { isSameBranch } from "../../core/session/own-branch.ts";
import type { CreateWorkspace } from "../../ports/workspace.ts";
import { failure } from "./failure.ts";
import type { CheckoutTools, Plan } from "./kind.ts";
import type { Place } from "./layout.ts";
import { listSaved, type Preserved } from "./preserved.ts";
import { findTarget, type RefCommits, resolveStart, startRefs } from "./refs.ts";
import { isPlainRef, readRefFiles } from "./scm/read-head.ts";

/** Reads the relevant refs and decides where HEAD will be; never plans to move a branch. */
export async function planCheckout(tools: CheckoutTools, place: Place, request: CreateWorkspace): Promise<Plan> {
  const { project, branch } = request;
  const base = request.base ?? project.defaultBranch;
  await requireOwn(tools, request);
  const branchRef = `refs/heads/${branch}`;
  const known = await readRefFiles(tools, project, [branchRef, ...startRefs(base)]);
  const saved = request.restore ? (await listSaved(tools.git, project.path, request.sessionId)).current : null;
  const existing = known.get(branchRef);
  if (saved !== null && saved.branch !== branch) return planElsewhere(tools, place, { request, saved });
  if (existing !== undefined) {
    const baseCommit = await forkPoint(tools, request, { head: existing, known });
    return { onto: { branch, isNew: false }, head: existing, baseCommit, saved, notes: [] };
  }
  const start = saved?.head ?? (await resolveStart(tools.git, project.path, { name: base, known }));
  const baseCommit = saved === null ? start : await forkPoint(tools, request, { head: saved.head, known });
  const gone = saved === null ? `started again from ${base}` : `rebuilt at its saved commit ${start.slice(0, 12)}`;
  return {
    onto: { branch, isNew: true },
    head: start,
    baseCommit,
    saved,
    notes: request.restore ? [`The branch ${branch} was gone and has been ${gone}.`] : [],
  };
}

// The branch was judged when the session was requested; it may have waited for a slot since.
async function requireOwn(tools: CheckoutTools, { project, branch, sessionId }: CreateWorkspace): Promise<void> {
  const isPlain = await isPlainRef(tools, project.path, `refs/heads/${branch}`);
  const target = isPlain ? null : await findTarget(tools.git, project.path, branch);
  const isDefault = isSameBranch(target ?? branch, project.defaultBranch);
  if (target === null && !isDefault) return;
  const alias = target === null ? "" : ` is a symbolic ref to ${target};`;
  const shared = isDefault ? ` ${target ?? branch} is the default branch;` : "";
  const message = `${alias === "" ? "" : branch}${alias}${shared} sessions work on their own branch.`.trim();
  throw failure("branch-taken", "conflict", {
    message,
    hint: `Stop it: \`ao stop ${sessionId}\`. Then start it on another branch with --branch.`,
  });
}

/** The state was saved on no branch or on another one: HEAD returns to where it was, and the session's branch stays. */
async function planElsewhere(
  tools: CheckoutTools,
  place: Place,
  { request, saved }: { readonly request: CreateWorkspace; readonly saved: Preserved },
): Promise<Plan> {
  const base = request.base ?? request.project.defaultBranch;
  const known = await readRefFiles(tools, request.project, startRefs(base));
  const { head, branch: other } = saved;
  const baseCommit = await forkPoint(tools, request, { head, known });
  // An agent that had checked out the default branch must not commit there again.
  const mayReturn = other !== null && !isSameBranch(other, request.project.defaultBranch);
  if (mayReturn && (await tools.kind.findOther(request, place, other)) === head) {
    const note = `The saved work was on branch ${other}, not ${request.branch}; it is back there.`;
    return { onto: { branch: other, isNew: false }, head, baseCommit, saved, notes: [note] };
  }
  const note = `HEAD is detached at ${head.slice(0, 12)}, where the saved work was made; ${request.branch} stays as it is.`;
  return { onto: null, head, baseCommit, saved, notes: [note] };
}

async function forkPoint(
  tools: CheckoutTools,
  request: CreateWorkspace,
  { head, known }: { readonly head: string; readonly known: RefCommits },
): Promise<string> {
  const base = request.base ?? request.project.defaultBranch;
  const start = startRefs(base)
    .map((ref) => known.get(ref))
    .find((found) => found !== undefined);
  if (start === head) return head;
  if (start === undefined && base.startsWith("-")) return head;
  const args = ["merge-base", head, start ?? base];
  const { code, stdout } = await tools.git({ cwd: request.project.path, args, okCodes: [0, 1, 128] });
  // Unrelated histories, or a missing base: the branch starts at its own head.
  return code === 0 ? stdout.trim() : head;
}
