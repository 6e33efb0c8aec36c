import { join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { findCommonDir, readGitFile } from "../../providers/git/repository.ts";
import type { PlaceRule } from "./bubblewrap.ts";

/**
 * What a commit needs of git's folders, for a linked worktree and for a clone. What names programs that git runs (its
 * settings, its hooks, and the file that says which folder is the git folder) stays as it is: git runs outside too.
 */
export async function gitRules(fs: HostFs, workspace: string): Promise<readonly PlaceRule[]> {
  const common = await findCommonDir(fs, workspace);
  const own = await readGitFile(fs, workspace);
  // A clone may have no such folder yet, and a folder that is not there cannot be kept from being made.
  await fs.makeDir(join(common, "hooks"));
  const kept = [join(common, "config"), join(common, "hooks"), join(common, "config.worktree")];
  const others = join(common, "worktrees");
  const rules: readonly PlaceRule[] = [
    { path: common, as: "write" },
    ...(await present(fs, own === null ? kept : [...kept, join(workspace, ".git"), join(own, "config.worktree")])),
  ];
  // Of the folders of linked worktrees only the own one is writable, so that no other session's index can be touched.
  if (own === null) return [...rules, ...(await present(fs, [others])), ...(await alternates(fs, common))];
  return [...rules, { path: others, as: "read" }, { path: own, as: "write" }, ...(await alternates(fs, common))];
}

/** Folders of objects that a repository borrows; named, since they may lie where nothing else is shown. */
async function alternates(fs: HostFs, common: string): Promise<readonly PlaceRule[]> {
  const text = await fs.readText(join(common, "objects/info/alternates"));
  return present(
    fs,
    (text ?? "").split("\n").filter((line) => line.startsWith("/")),
  );
}

async function present(fs: HostFs, paths: readonly string[]): Promise<readonly PlaceRule[]> {
  const found = await Promise.all(paths.map(async (path) => ((await fs.stat(path)) === null ? [] : [path])));
  return found.flat().map((path): PlaceRule => ({ path, as: "read" }));
}
