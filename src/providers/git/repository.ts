import { basename, dirname, join, resolve } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { failure } from "./failure.ts";

/** The folders that git would otherwise find through files an agent can write. */
export interface GitFolders {
  readonly gitDir: string;
  /** The git folder shared by all worktrees of a repository; for a standalone repository the same as `gitDir`. */
  readonly commonDir: string;
  /** Null for a bare repository. */
  readonly workTree: string | null;
}

// The shared git folders of projects, found from the project's path.
const projects = new Set<string>();

/**
 * The git folder shared by all worktrees of a project, found without a process. Worktrees may refer to it from now on.
 */
export async function findCommonDir(fs: HostFs, projectPath: string): Promise<string> {
  const folders = await findFolders(fs, projectPath);
  if (folders === null) {
    throw failure("not-a-repository", "config", {
      message: `${projectPath} is not the root of a git repository.`,
      hint: "Give the folder that holds .git, or run git init there.",
    });
  }
  const { commonDir } = folders;
  if (!projects.has(commonDir)) projects.add(commonDir).add((await fs.realPath(commonDir)) ?? commonDir);
  return commonDir;
}

/** Is this the git folder of a project, and not one that belongs to an agent? */
export function isProjectFolder(commonDir: string): boolean {
  return projects.has(commonDir);
}

/**
 * The git folders of a checkout, judged by path alone: the file `commondir` is never read, because it decides which
 * settings git uses. Null if the folder is not a checkout.
 */
async function findFolders(fs: HostFs, folder: string): Promise<GitFolders | null> {
  const own = join(folder, ".git");
  const kind = (await fs.stat(own))?.kind;
  if (kind === "directory") return { gitDir: own, commonDir: own, workTree: folder };
  if (kind === undefined) return findBare(fs, folder);
  const gitDir = kind === "symlink" ? await fs.realPath(own) : await readGitFile(fs, folder);
  return gitDir === null ? null : { gitDir, commonDir: sharedDirOf(gitDir), workTree: folder };
}

/** The git folders of a checkout; rejects a git folder elsewhere that belongs to no project. */
export async function requireFolders(fs: HostFs, folder: string): Promise<GitFolders | null> {
  const folders = await findFolders(fs, folder);
  if (folders === null || projects.has(folders.commonDir)) return folders;
  const isOwn = folders.gitDir === join(folder, ".git") || folders.commonDir === folder;
  if (isOwn) return folders;
  throw failure("conflict", "config", {
    message: `${join(folder, ".git")} names ${folders.gitDir}, which belongs to no project of ao, so git does not run there.`,
    hint: "Run `git worktree repair` in the project's main checkout, or remove that folder.",
  });
}

/** The git folder that a folder's `.git` file points to, or null if there is no such file. */
export async function readGitFile(fs: HostFs, folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  if ((await fs.stat(path))?.kind !== "file") return null;
  const text = (await fs.readText(path)) ?? "";
  return text.startsWith("gitdir: ") ? resolve(folder, text.slice("gitdir: ".length).replace(/\n$/, "")) : null;
}

/** The git folder that contains a worktree's git folder; a git folder elsewhere is a standalone repository. */
export function sharedDirOf(gitDir: string): string {
  return basename(dirname(gitDir)) === "worktrees" ? dirname(dirname(gitDir)) : gitDir;
}

// A bare repository is its own git folder; a worktree's git folder is accepted too.
async function findBare(fs: HostFs, folder: string): Promise<GitFolders | null> {
  if ((await fs.stat(join(folder, "HEAD"))) === null) return null;
  const commonDir = sharedDirOf(folder);
  const objects = await fs.stat(join(commonDir, "objects"));
  return objects?.kind === "directory" ? { gitDir: folder, commonDir, workTree: null } : null;
}
