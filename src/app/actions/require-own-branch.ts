import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import { adviseAnother } from "../../core/session/decide-command.ts";
import {
  type BranchFacts,
  describeShared,
  isSameBranch,
  refuseBranch,
  shortName,
} from "../../core/session/own-branch.ts";
import { createGit, type Git } from "../../providers/git/git.ts";
import { findCheckout, findSpellings, findTarget } from "../../providers/git/refs.ts";
import type { Kernel } from "../kernel.ts";
import { scmOf } from "./scm-of.ts";

const MAX_SPELLINGS = 5;

/** Refuses a branch that a person names for a session and that no session may work on, before anything exists. */
export async function requireOwnBranch(kernel: Kernel, project: ProjectState, written: string): Promise<void> {
  const git = createGit(kernel.host);
  const remotes = await listRemotes(git, project.path);
  const known: BranchFacts = { projectId: project.id, defaultBranch: project.defaultBranch, remotes };
  // Of a name that is no good in itself neither git nor the forge need to be asked.
  const refusal = refuseBranch(written, known) ?? (await refuseThere(kernel, git, { project, written, known }));
  if (refusal !== null) throw new AoError(refusal);
}

interface Named {
  readonly project: ProjectState;
  readonly written: string;
  readonly known: BranchFacts;
}

async function refuseThere(kernel: Kernel, git: Git, { project, written, known }: Named) {
  const name = shortName(written, known.remotes);
  const target = await findTarget(git, project.path, name).catch(() => null);
  const isProtected = await isAnyProtected(kernel, project.id, await spellingsOf(git, project, target ?? name));
  // A session that is at work there is named by the engine, and a repeated request finds its own.
  const isTaken = holdsBranch(kernel, project.id, written);
  const checkedOutAt = isTaken ? null : await findCheckout(git, project.path, written).catch(() => null);
  return refuseBranch(written, { ...known, isProtected, checkedOutAt, standsFor: target });
}

// On some file systems `Develop` is the branch `develop`, which is the name that the forge knows.
async function spellingsOf(git: Git, { path }: ProjectState, name: string): Promise<readonly string[]> {
  const found = await findSpellings(git, path, name).catch(() => []);
  return [...new Set([name, ...found.filter((one) => isSameBranch(one, name))])].slice(0, MAX_SPELLINGS);
}

async function isAnyProtected(kernel: Kernel, projectId: string, names: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(names.map((name) => isProtectedThere(kernel, projectId, name)));
  return answers.includes(true);
}

/** Refuses to restore a session on a branch that the forge protects by now. */
export async function requireUnprotected(kernel: Kernel, sessionId: string): Promise<void> {
  const session = kernel.engine.loop.world.view.session(sessionId);
  // A branch that `ao` named is not worth a request.
  if (session === undefined || session.phase !== "stopped") return;
  const { projectId, branch } = session;
  const { state } = scmOf(kernel, projectId);
  await requireNoAlias(kernel, state, { branch, hint: adviseAnother(sessionId) });
  if (branch.startsWith("agent/")) return;
  const isProtected = await isProtectedThere(kernel, projectId, branch);
  const shared = describeShared(branch, { projectId, defaultBranch: state.defaultBranch, isProtected });
  if (shared !== null) throw new AoError({ code: "usage", message: shared, hint: adviseAnother(sessionId) });
}

/** Refuses a branch that has become a symbolic ref: the agent's commits would move the branch that it stands for. */
export async function requireNoAlias(
  kernel: Kernel,
  { id: projectId, path, defaultBranch }: ProjectState,
  { branch, hint }: { readonly branch: string; readonly hint: string },
): Promise<void> {
  const standsFor = await findTarget(createGit(kernel.host), path, branch).catch(() => null);
  const refusal = standsFor === null ? null : refuseBranch(branch, { projectId, defaultBranch, standsFor });
  if (refusal !== null) throw new AoError({ ...refusal, hint });
}

/** Does the forge protect this branch? False as well if it does not answer: it would refuse a push to the branch anyway. */
export async function isProtectedThere(kernel: Kernel, projectId: string, branch: string): Promise<boolean> {
  const { scm, project } = scmOf(kernel, projectId);
  return (await scm.remote?.isProtected?.(project, branch).catch(() => false)) ?? false;
}

async function listRemotes(git: Git, cwd: string): Promise<readonly string[]> {
  const { stdout } = await git({ discover: true, args: ["remote"], cwd, okCodes: [0, 1, 128] });
  return stdout.split("\n").filter((name) => name !== "");
}

function holdsBranch({ engine }: Kernel, projectId: string, branch: string): boolean {
  for (const session of engine.loop.world.view.activeSessions(projectId)) {
    if (session.branch === branch && session.phase !== "stopped") return true;
  }
  return false;
}
