import { constants, type Dirent } from "node:fs";
import { chmod, copyFile, link, lstat, mkdir, readdir, readlink, rm, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CloneResult, HostFs } from "../ports/host.ts";

type How = Parameters<HostFs["cloneTree"]>[2];

const RESULTS = { cow: "cloned", hardlink: "linked", copy: "copied" } as const satisfies Record<How, CloneResult>;
/** Error codes of file systems that do not support this at all. */
const NEVER = ["EXDEV", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "ENOTTY", "EINVAL"];
/** Error codes for a single file: wrong owner, or too many links. */
const NOT_THIS = ["EPERM", "EMLINK"];
const AT_ONCE = 64;

/** Creates the function that clones a tree; it remembers which file systems do not support it. */
export function createCloneTree(): HostFs["cloneTree"] {
  const incapable = new Set<string>();
  return async function cloneTree(from, to, how) {
    const devices = [await lstat(from), await lstat(dirname(to))].map(({ dev }) => dev);
    const pair = `${how} ${devices.join(" ")}`;
    if (incapable.has(pair)) return "impossible";
    // Creating the folder claims it: if something fails, an existing folder is not ours to remove.
    await mkdir(to);
    try {
      await tryOne(from, to, how);
      await fill(from, to, how);
      return RESULTS[how];
    } catch (error) {
      await rm(to, { recursive: true, force: true });
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (how === "copy" || ![...NEVER, ...NOT_THIS].includes(code)) throw error;
      if (NEVER.includes(code)) incapable.add(pair);
      return "impossible";
    }
  };
}

/** Tries a single file before creating thousands of folders. */
async function tryOne(from: string, to: string, how: How): Promise<void> {
  const file = how === "copy" ? null : await findFile(from);
  if (file === null) return;
  const trial = join(to, ".ao-trial");
  await place(file, trial, how);
  await rm(trial);
}

async function findFile(folder: string): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true });
  const file = entries.find((entry) => entry.isFile());
  if (file !== undefined) return join(folder, file.name);
  for (const entry of entries) {
    const found = entry.isDirectory() ? await findFile(join(folder, entry.name)) : null;
    if (found !== null) return found;
  }
  return null;
}

async function fill(from: string, to: string, how: How): Promise<void> {
  const folders: string[] = [""];
  for (const folder of folders) {
    if (folder !== "") await mkdir(join(to, folder));
    const entries = await readdir(join(from, folder), { withFileTypes: true });
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      await Promise.all(entries.slice(at, at + AT_ONCE).map((entry) => add(folder, entry)));
    }
  }
  // Modes come last, innermost first: nothing can be added to a read-only folder.
  for (const folder of folders.reverse()) {
    await chmod(join(to, folder), (await lstat(join(from, folder))).mode & 0o7777);
  }

  async function add(folder: string, entry: Dirent): Promise<void> {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) folders.push(path);
    else if (entry.isSymbolicLink()) await symlink(await readlink(join(from, path)), join(to, path));
    else if (entry.isFile()) await place(join(from, path), join(to, path), how);
    // Sockets and pipes are not content.
  }
}

async function place(from: string, to: string, how: How): Promise<void> {
  if (how === "hardlink") return link(from, to);
  const { atime, mtime } = await lstat(from);
  const share = how === "cow" ? constants.COPYFILE_FICLONE_FORCE : 0;
  await copyFile(from, to, constants.COPYFILE_EXCL | share);
  await utimes(to, atime, mtime);
}
