import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants, type FSWatcher, watch as watchFs } from "node:fs";
import { cp, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileStat, HostFs } from "../ports/host.ts";
import { createCloneTree } from "./clone-tree.ts";
import { moveNew } from "./move-new.ts";
import { readPlain } from "./read-plain.ts";
import { append, readBytes, readEnd, readInto, ring } from "./run-files.ts";

/** Poll interval for a folder that cannot be watched. */
const POLL_MS = 500;

/** The Host's files on Node. */
export function createHostFs(): HostFs {
  return {
    readText: (path) => orNull(readFile(path, "utf8")),
    readBytes,
    readEnd,
    readPlain,
    readInto,
    writeText,
    append,
    freeStart,
    ring,
    makeDir,
    remove: (path) => rm(path, { recursive: true, force: true }),
    rename,
    moveNew,
    list: async (path) => ((await orNull(readdir(path))) ?? []).sort(),
    stat,
    realPath: (path) => orNull(realpath(path)),
    makeLink: (target, path) => symlink(target, path),
    readLink: (path) => orNull(readlink(path)),
    copy: (from, to) =>
      cp(from, to, {
        recursive: true,
        force: false,
        errorOnExist: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
        mode: constants.COPYFILE_FICLONE,
      }),
    cloneTree: createCloneTree(),
    watch,
  };
}

async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

async function writeText(
  path: string,
  text: string,
  options?: { readonly mode?: number; readonly isRef?: boolean },
): Promise<void> {
  // Git takes every other file in a folder of refs for a ref.
  const temp = `${path}.${randomBytes(6).toString("hex")}.${options?.isRef === true ? "lock" : "tmp"}`;
  const file = await open(temp, "wx", options?.mode ?? 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(temp, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temp, { force: true });
    throw error;
  }
}

// Node has no call for this, so it runs fallocate from util-linux.
async function freeStart(path: string, bytes: number): Promise<boolean> {
  // fallocate would create a missing file.
  if ((await stat(path)) === null) return false;
  const args = ["--punch-hole", "--offset", "0", "--length", String(bytes), path];
  return new Promise((resolve) => execFile("fallocate", args, (error) => resolve(error === null)));
}

async function makeDir(
  path: string,
  options?: { readonly exclusive?: boolean; readonly mode?: number },
): Promise<boolean> {
  const mode = options?.mode ?? 0o755;
  if (options?.exclusive !== true) {
    await mkdir(path, { recursive: true, mode });
    return true;
  }
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function stat(path: string): Promise<FileStat | null> {
  const found = await orNull(lstat(path));
  if (found === null) return null;
  const kind = found.isFile()
    ? "file"
    : found.isDirectory()
      ? "directory"
      : found.isSymbolicLink()
        ? "symlink"
        : "other";
  return { kind, size: found.size, mtimeMs: found.mtimeMs, mode: found.mode & 0o7777 };
}

function watch(path: string, onChange: (name: string | null) => void): () => void {
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  // Some machines allow few watches (128 per user, and every agent's tail uses one); fall back to polling.
  const poll = (): void => {
    timer ??= setInterval(onChange, POLL_MS, null).unref();
  };
  try {
    watcher = watchFs(path, { persistent: false }, (_, name) => onChange(name));
    watcher.on("error", () => {
      watcher?.close();
      poll();
    });
  } catch {
    poll();
  }
  return () => {
    watcher?.close();
    if (timer !== null) clearInterval(timer);
  };
}
