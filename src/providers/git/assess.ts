import { splitNul } from "./git.ts";
import { copyIndex, type IndexCopy } from "./index-copy.ts";
import { findContentObstacle, findOperation } from "./obstacle.ts";
import type { Snapshot } from "./preserved.ts";
import { readStatus, type Status } from "./status.ts";
import { isSubmodule } from "./submodule.ts";
import type { Tools } from "./tools.ts";
import { findInexact } from "./verify.ts";

/** The consequence of removing a checkout. */
export type Assessment =
  /** It cannot be saved completely, so it stays. */
  | { readonly kind: "keep"; readonly reason: string }
  /** Everything is committed on a branch. */
  | { readonly kind: "clean"; readonly head: string; readonly refs?: readonly LocalRef[] }
  /** The objects of this state are written; it only needs a ref. */
  | { readonly kind: "dirty"; readonly snapshot: Snapshot; readonly refs?: readonly LocalRef[] };

/** A ref or stash entry that exists only in a clone. */
export interface LocalRef {
  readonly name: string;
  readonly object: string;
}

/** Examines everything in a checkout; writes objects for uncommitted work, and changes nothing else. */
export async function assessFolder(tools: Tools, folder: string, gitDir: string): Promise<Assessment> {
  const obstacle = await findOperation(tools, gitDir);
  if (obstacle !== null) return keepFor(obstacle);
  const index = await copyIndex(tools, folder, gitDir);
  try {
    return await assessContent(tools, folder, index);
  } finally {
    await index.remove();
  }
}

async function assessContent(tools: Tools, folder: string, index: IndexCopy): Promise<Assessment> {
  const [status, touched] = await Promise.all([
    readStatus(tools, folder, index.env),
    // Also lists files that differ only in what a clean filter removes, which git status calls unchanged.
    tools.git({ cwd: folder, env: index.env, args: ["diff-files", "--name-only", "-z", "--ignore-submodules=all"] }),
  ]);
  const paths = pathsToSave(status, splitNul(touched.stdout));
  const obstacle = await findContentObstacle(tools, folder, { status, entries: index.entries, paths });
  if (obstacle !== null) return keepFor(obstacle);
  const head = status.head as string;
  if (paths.length === 0 && isCommitted(status)) return { kind: "clean", head };
  const trees = await writeTrees(tools, folder, { index, status, paths });
  if (typeof trees === "string") return keepFor(trees);
  const inexact = await findInexact(tools, folder, { index, paths });
  if (inexact !== null) {
    return keepFor(`${inexact} cannot be restored byte for byte (line endings, a filter, its mode)`);
  }
  if (isCommitted(status)) return { kind: "clean", head };
  return { kind: "dirty", snapshot: { head, branch: status.branch, ...trees, intentToAdd: status.intentToAdd } };
}

// A deleted path cannot be read; through a link in place of its folder it could even be another file.
function pathsToSave(status: Status, touched: readonly string[]): string[] {
  const gone = new Set(status.deleted);
  const staged = new Set(status.staged);
  for (const path of status.stagedDeletions) staged.delete(path);
  const paths = new Set([...staged, ...status.changed, ...status.untracked, ...touched]);
  return [...paths].filter((path) => !gone.has(path));
}

// Files that were only touched do not count: their bytes were compared. A detached HEAD has no branch to return to.
function isCommitted(status: Status): boolean {
  return status.staged.length + status.changed.length + status.untracked.length === 0 && status.branch !== null;
}

async function writeTrees(
  tools: Tools,
  folder: string,
  { index, status, paths }: { readonly index: IndexCopy; readonly status: Status; readonly paths: readonly string[] },
): Promise<{ readonly indexTree: string; readonly workTree: string } | string> {
  const env = index.env;
  const writeTree = async (): Promise<string> =>
    (await tools.git({ cwd: folder, env, args: ["write-tree"] })).stdout.trim();
  const indexTree = await writeTree();
  // A submodule is at its recorded commit here. `git add --all` would ask it again, which fails once it has been moved.
  const submodules = new Set(index.entries.filter(isSubmodule).map((entry) => entry.path));
  const present = paths.filter((path) => !submodules.has(path));
  for (const [flags, list] of [
    [["--force-remove"], status.deleted],
    [["--add", "--remove", "--replace"], present],
  ] as const) {
    if (list.length === 0) continue;
    const stdin = list.map((path) => `${path}\0`).join("");
    const args = ["update-index", ...flags, "-z", "--stdin"];
    const { code, stderr } = await tools.git({ cwd: folder, env, args, stdin, okCodes: [0, 1, 128] });
    if (code !== 0)
      return (
        stderr
          .trim()
          .split("\n")[0]
          ?.replace(/^(error|fatal): /, "") ?? "git cannot add everything"
      );
  }
  return { indexTree, workTree: await writeTree() };
}

/** The answer for a checkout that cannot be removed because of an obstacle. */
export function keepFor(obstacle: string): Assessment {
  return { kind: "keep", reason: `cannot be saved completely: ${obstacle}` };
}
