import { constants } from "node:fs";
import { copyFile, link, lstat, readlink, rename, symlink, unlink } from "node:fs/promises";

/** Something is there; the last two if a folder meets a folder with files in it, or a file. */
const TAKEN: readonly unknown[] = ["EEXIST", "ENOTEMPTY", "ENOTDIR"];
/** File systems without hard links, or with a limit on them. */
const UNLINKABLE: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/**
 * Moves a file, link or folder to where nothing is. `rename` would silently replace a file that somebody saves at this
 * moment, and looking first leaves a moment in between; making a second name fails instead.
 */
export async function moveNew(from: string, to: string): Promise<boolean> {
  const found = await lstat(from);
  try {
    if (found.isDirectory()) {
      await rename(from, to);
      return true;
    }
    // A second name of a link would be one of its target on some systems.
    if (found.isSymbolicLink()) await symlink(await readlink(from), to);
    else await nameAgain(from, to);
  } catch (error) {
    if (TAKEN.includes((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
  await unlink(from);
  return true;
}

async function nameAgain(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (!UNLINKABLE.includes(error.code)) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  });
}
