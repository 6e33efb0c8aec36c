import { basename, dirname, join, resolve } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { failure } from "./failure.ts";
import type { Lane } from "./lane.ts";

/** The git folder that all worktrees of a repository share, found without a process. */
export async function findCommonDir(fs: HostFs, path: string): Promise<string> {
  const stat = await fs.stat(join(path, ".git"));
  if (stat?.kind === "directory") return join(path, ".git");
  const gitDir = await readGitFile(fs, path);
  if (gitDir !== null) return sharedDirOf(fs, gitDir);
  // A bare repository is its own git folder.
  const [head, objects] = [await fs.stat(join(path, "HEAD")), await fs.stat(join(path, "objects"))];
  if (head !== null && objects?.kind === "directory") return path;
  throw failure("not-a-repository", "config", {
    message: `${path} is not the root of a git repository.`,
    hint: "Give the folder that holds .git, or run git init there.",
  });
}

/** The git folder that a folder's `.git` file names, or null when there is no such file. */
export async function readGitFile(fs: HostFs, folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  if ((await fs.stat(path))?.kind !== "file") return null;
  const text = (await fs.readText(path)) ?? "";
  return text.startsWith("gitdir: ") ? resolve(folder, text.slice("gitdir: ".length).replace(/\n$/, "")) : null;
}

async function sharedDirOf(fs: HostFs, gitDir: string): Promise<string> {
  const text = await fs.readText(join(gitDir, "commondir"));
  return text === null ? gitDir : resolve(gitDir, text.replace(/\n$/, ""));
}

/** The git folder registered for a worktree, looked for from the repository's side; for a folder that is gone. */
export async function findAdminDir(fs: HostFs, commonDir: string, folder: string): Promise<string | null> {
  const wanted = new Set([join(folder, ".git"), join(await realFolder(fs, folder), ".git")]);
  const worktrees = join(commonDir, "worktrees");
  for (const name of await fs.list(worktrees)) {
    const admin = join(worktrees, name);
    const text = await fs.readText(join(admin, "gitdir"));
    if (text !== null && wanted.has(resolve(admin, text.replace(/\n$/, "")))) return admin;
  }
  return null;
}

async function realFolder(fs: HostFs, folder: string): Promise<string> {
  const parent = await fs.realPath(dirname(folder));
  return parent === null ? folder : join(parent, basename(folder));
}

/**
 * Takes a worktree's git folder out of the repository in one step, so that no git command meets half of it; what a crash
 * left of an earlier one goes too.
 */
export async function removeAdminDir(
  fs: HostFs,
  lane: Lane,
  commonDir: string,
  adminDir: string | null,
): Promise<void> {
  const trash = join(commonDir, "ao-trash");
  await lane(commonDir, async () => {
    if (adminDir !== null && (await fs.stat(adminDir)) !== null) {
      await fs.makeDir(trash);
      await fs.rename(adminDir, join(trash, `${basename(adminDir)}-${(await fs.list(trash)).length}`));
    }
    await fs.remove(trash);
  });
}
