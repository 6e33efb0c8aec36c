import { join, resolve } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { failure } from "./failure.ts";

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

/** The git folder that a checkout's own one hangs on: for a linked worktree the repository's, else itself. */
export async function sharedDirOf(fs: HostFs, gitDir: string): Promise<string> {
  const text = await fs.readText(join(gitDir, "commondir"));
  return text === null ? gitDir : resolve(gitDir, text.replace(/\n$/, ""));
}
