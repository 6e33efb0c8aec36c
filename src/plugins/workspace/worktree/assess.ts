import { splitNul } from "./git.ts";
import { copyIndex, type IndexCopy } from "./index-copy.ts";
import { findContentObstacle, findGitObstacle } from "./obstacle.ts";
import type { Snapshot } from "./preserved.ts";
import { readStatus, type Status } from "./status.ts";
import type { Tools } from "./tools.ts";
import { findInexact } from "./verify.ts";

/** What removing a worktree would mean. */
export type Assessment =
  /** Not everything in it can be saved, so it stays. */
  | { readonly kind: "keep"; readonly reason: string }
  /** Everything is committed on a branch. */
  | { readonly kind: "clean"; readonly head: string }
  /** The objects of this state are in the repository; it only needs a ref. */
  | { readonly kind: "dirty"; readonly snapshot: Snapshot };

/** Looks at all that is in a worktree; writes objects for what is not committed, and changes nothing else. */
export async function assess(tools: Tools, folder: string, adminDir: string): Promise<Assessment> {
  const obstacle = await findGitObstacle(tools, adminDir);
  if (obstacle !== null) return keep(`cannot be saved whole: ${obstacle}`);
  const index = await copyIndex(tools, folder, adminDir);
  try {
    return await assessContent(tools, folder, index);
  } finally {
    await index.remove();
  }
}

async function assessContent(tools: Tools, folder: string, index: IndexCopy): Promise<Assessment> {
  const [status, touched] = await Promise.all([
    readStatus(tools, folder, index.env),
    // Also names files that differ only in what a clean filter takes away, which git status calls unchanged.
    tools.git({ cwd: folder, env: index.env, args: ["diff-files", "--name-only", "-z", "--ignore-submodules=all"] }),
  ]);
  const obstacle = await findContentObstacle(tools, folder, status, index.entries);
  if (obstacle !== null) return keep(`cannot be saved whole: ${obstacle}`);
  const head = status.head as string;
  const paths = new Set([...status.staged, ...status.changed, ...status.untracked, ...splitNul(touched.stdout)]);
  if (paths.size === 0 && status.branch !== null) return { kind: "clean", head };
  const trees = await writeTrees(tools, folder, index);
  if (typeof trees === "string") return keep(`cannot be saved whole: ${trees}`);
  const inexact = await findInexact(tools, folder, index, [...paths]);
  if (inexact !== null) {
    return keep(
      `cannot be saved whole: ${inexact} would not come back byte for byte (line ends, a filter or the file mode)`,
    );
  }
  if (isCommitted(status)) return { kind: "clean", head };
  return { kind: "dirty", snapshot: { head, branch: status.branch, ...trees, intentToAdd: status.intentToAdd } };
}

// Files that were only touched do not count: their bytes were compared. A detached HEAD is on no branch to come back to.
function isCommitted(status: Status): boolean {
  return status.staged.length + status.changed.length + status.untracked.length === 0 && status.branch !== null;
}

async function writeTrees(
  tools: Tools,
  folder: string,
  index: IndexCopy,
): Promise<{ readonly indexTree: string; readonly workTree: string } | string> {
  const { git } = tools;
  const env = index.env;
  const indexTree = (await git({ cwd: folder, env, args: ["write-tree"] })).stdout.trim();
  const added = await git({ cwd: folder, env, args: ["add", "--all", "--", "."], okCodes: [0, 1, 128] });
  if (added.code !== 0) return `git cannot add everything: ${added.stderr.trim().split("\n").at(0)}`;
  const workTree = (await git({ cwd: folder, env, args: ["write-tree"] })).stdout.trim();
  return { indexTree, workTree };
}

function keep(reason: string): Assessment {
  return { kind: "keep", reason };
}
