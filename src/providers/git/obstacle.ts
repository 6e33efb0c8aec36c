import { join } from "node:path";
import type { IndexEntry } from "./index-copy.ts";
import { OPERATIONS } from "./operations.ts";
import type { Status } from "./status.ts";
import { findSubmoduleWork } from "./submodule.ts";
import { isPlainFolder } from "./symlink.ts";
import type { Tools } from "./tools.ts";

const AT_ONCE = 64;

/** The unfinished git operation in a checkout, as an obstacle; null if there is none. */
export async function findOperation(tools: Tools, gitDir: string): Promise<string | null> {
  for (const [file, operation] of OPERATIONS) {
    if ((await tools.host.fs.stat(join(gitDir, file))) !== null) return `${operation} is in progress`;
  }
  return null;
}

export interface Content {
  readonly status: Status;
  readonly entries: readonly IndexEntry[];
  /** Every path that is there and not as it was committed and checked out. */
  readonly paths: readonly string[];
}

/** Why the content of a checkout cannot be saved whole; null when it can. */
export async function findContentObstacle(tools: Tools, folder: string, content: Content): Promise<string | null> {
  const { status, entries, paths } = content;
  if (status.head === null) return "its branch has no commit to save the work on";
  if (status.unmerged.length > 0) return `${status.unmerged[0]} has unresolved conflicts`;
  if (status.unreadable !== null) return `not everything can be read: ${status.unreadable}`;
  // Names reach us as text; one that is not UTF-8 could not be named to git again.
  const garbled = [...paths, ...status.deleted].find((path) => path.includes("\uFFFD"));
  if (garbled !== undefined) return `the name of ${garbled} is not UTF-8`;
  return (
    (await findNestedRepository(tools, folder, { status, entries })) ??
    (await findUntrackedObstacle(tools, folder, status.untracked)) ??
    (await findSubmoduleWork(tools, folder, entries))
  );
}

async function findNestedRepository(
  tools: Tools,
  folder: string,
  { status, entries }: { readonly status: Status; readonly entries: readonly IndexEntry[] },
): Promise<string | null> {
  const nested = status.untracked.find((path) => path.endsWith("/"));
  if (nested !== undefined) return `${nested} is a separate repository`;
  // `git init` inside a folder of tracked files, and a bare repository, are invisible to git status.
  const folders = parentFolders([...entries.map((entry) => entry.path), ...status.untracked]);
  const isThere = async (path: string): Promise<boolean> =>
    // A loop of links is not a folder either.
    (await tools.host.fs.stat(join(folder, path)).catch(() => null)) !== null;
  const found = await findFirst([...folders], async (path) => {
    const bare = folders.has(`${path}/objects`) || folders.has(`${path}/hooks`);
    const signs = bare ? [[".git"], ["HEAD", "config", "objects"]] : [[".git"]];
    for (const names of signs) {
      const answers = await Promise.all(names.map((name) => isThere(`${path}/${name}`)));
      // What lies behind a link is elsewhere, and stays there.
      if (!answers.includes(false)) return isPlainFolder(tools, folder, path);
    }
    return false;
  });
  return found === null ? null : `${found}/ is a separate repository`;
}

function parentFolders(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const parent = path.slice(0, end);
      if (folders.has(parent)) break;
      folders.add(parent);
    }
  }
  return folders;
}

async function findUntrackedObstacle(
  tools: Tools,
  folder: string,
  untracked: readonly string[],
): Promise<string | null> {
  let total = 0;
  for (const path of untracked) total += (await tools.host.fs.stat(join(folder, path)))?.size ?? 0;
  const limit = tools.config.maxUntrackedBytes;
  if (total <= limit) return null;
  return `its untracked files total ${megabytes(total)} MB, and ao saves at most ${megabytes(limit)} MB`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}

async function findFirst<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T | null> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const slice = items.slice(at, at + AT_ONCE);
    const answers = await Promise.all(slice.map(test));
    const hit = answers.indexOf(true);
    if (hit >= 0) return slice[hit] ?? null;
  }
  return null;
}
