import { basename, dirname, join, resolve } from "node:path";
import type { HostFs } from "../../../ports/host.ts";
import type { Lane } from "../../../providers/git/lane.ts";

/** The git folder registered for a worktree, found from the repository's side; for a folder that is gone. */
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
 * Removes a worktree's git folder from the repository in one step, so that no git command finds half of it; also
 * removes what a crash left of an earlier one.
 */
export async function removeAdminDir(
  fs: HostFs,
  lane: Lane,
  { commonDir, adminDir }: { readonly commonDir: string; readonly adminDir: string | null },
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
