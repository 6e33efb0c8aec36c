import { join } from "node:path";
import type { ProjectState } from "../core/project/state.ts";
import type { SessionState } from "../core/session/state.ts";
import { createGit, EVERY_CODE } from "../providers/git/git.ts";
import { findCommonDir } from "../providers/git/repository.ts";
import type { Kernel } from "./kernel.ts";
import type { Register } from "./read-projects.ts";

type Source = Pick<Kernel, "host" | "engine">;

/** What to register for a repository that a person moved: the project that it was, with its worktrees repaired. Others are as they were. */
export async function adoptMoved(kernel: Source, register: Register): Promise<Register> {
  const moved = await findMoved(kernel, register);
  if (moved === null) return register;
  await repairWorktrees(kernel, moved, register.path);
  const { id, name, sessionPrefix, path } = moved;
  const names = id === register.id ? {} : { id, name, sessionPrefix };
  return { ...register, ...names, movedFrom: path };
}

/** The project whose repository is gone from its path and is this one. */
async function findMoved(kernel: Source, register: Register): Promise<ProjectState | null> {
  const { engine, host } = kernel;
  for (const project of engine.loop.world.view.projects()) {
    if (project.removed || project.path === register.path) continue;
    if ((await host.fs.stat(join(project.path, ".git"))) !== null) continue;
    if (await isSame(kernel, project, register)) return project;
  }
  return null;
}

/** Its commits are here; under another name also the branches of its sessions, which a fresh clone would not have. */
async function isSame(kernel: Source, project: ProjectState, { id, path }: Register): Promise<boolean> {
  const sessions = sessionsOf(kernel, project);
  const branches = sessions.map(({ branch }) => `refs/heads/${branch}`);
  const heads = [project.ownBase, project.baseHead, ...sessions.map(({ workspace }) => workspace.baseCommit)];
  const commits = heads.flatMap((head) => (head == null ? [] : [`${head}^{commit}`]));
  if (project.id !== id) return hasAny(kernel, path, branches);
  return commits.length === 0 || hasAny(kernel, path, commits);
}

async function hasAny({ host }: Source, cwd: string, names: readonly string[]): Promise<boolean> {
  for (const name of new Set(names)) {
    const args = ["rev-parse", "--verify", "--quiet", name];
    if ((await createGit(host)({ cwd, args, okCodes: EVERY_CODE })).code === 0) return true;
  }
  return false;
}

/** Worktrees and their repository name each other by path; git knows how to correct both. */
async function repairWorktrees(kernel: Source, project: ProjectState, path: string): Promise<void> {
  const { host } = kernel;
  const commonDir = await findCommonDir(host.fs, path);
  const folders = sessionsOf(kernel, project).flatMap(({ workspace }) => workspace.path ?? []);
  const worktrees: string[] = [];
  for (const folder of folders) {
    const now = folder.startsWith(`${project.path}/`) ? path + folder.slice(project.path.length) : folder;
    const kind = (await host.fs.stat(join(now, ".git")))?.kind;
    if (kind === "file") worktrees.push(now);
    if (kind === "directory") await repairOwn(kernel, join(now, ".git"), { from: project.path, to: path, commonDir });
  }
  if (worktrees.length > 0) await createGit(host)({ cwd: path, args: ["worktree", "repair", "--", ...worktrees] });
}

/** A repository of its own names the project's objects and settings by path. */
async function repairOwn(
  { host: { fs } }: Source,
  gitDir: string,
  { from, to, commonDir }: { readonly from: string; readonly to: string; readonly commonDir: string },
): Promise<void> {
  const alternates = join(gitDir, "objects/info/alternates");
  const borrowed = await fs.readText(alternates);
  if (borrowed?.startsWith(`${from}/`) !== true) return;
  const config = (await fs.readText(join(gitDir, "config"))) ?? "";
  await fs.writeText(join(gitDir, "config"), config.replaceAll(`"${from}/`, `"${to}/`));
  await fs.writeText(alternates, `${join(commonDir, "objects")}\n`);
}

function sessionsOf({ engine }: Source, { id }: ProjectState): readonly SessionState[] {
  return [...engine.loop.world.view.sessions()].filter(({ projectId }) => projectId === id);
}
