import { join } from "node:path";
import type { IndexEntry } from "./index-copy.ts";
import { readGitFile } from "./repository.ts";
import { parseStatus } from "./status.ts";
import type { Tools } from "./tools.ts";

const SUBMODULE_MODE = "160000";

/** Is this entry of the index a commit of another repository? */
export function isSubmodule(entry: IndexEntry): boolean {
  return entry.mode === SUBMODULE_MODE;
}

/**
 * Work inside a populated submodule that would be lost with the worktree, because its git folder is inside the
 * worktree's.
 */
export async function findSubmoduleWork(
  tools: Tools,
  folder: string,
  entries: readonly IndexEntry[],
): Promise<string | null> {
  for (const entry of entries) {
    if (!isSubmodule(entry)) continue;
    const path = join(folder, entry.path);
    const stat = await tools.host.fs.stat(join(path, ".git"));
    if (stat === null) continue;
    const gitDir = await readGitFile(tools.host.fs, path);
    const work =
      gitDir === null ? "has its repository inside" : await findWork(tools, path, { gitDir, recorded: entry.object });
    if (work !== null) return `the submodule ${entry.path} ${work}`;
  }
  return null;
}

async function findWork(
  tools: Tools,
  path: string,
  { gitDir, recorded }: { readonly gitDir: string; readonly recorded: string },
): Promise<string | null> {
  // Passed explicitly: an agent wrote the files that git would use to find them, and the work tree's path changes once
  // the folder is moved aside.
  const at = { cwd: path, folders: { gitDir, commonDir: gitDir, workTree: path } };
  const status = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
  const { stdout } = await tools.git({ ...at, args: [...status, "--ignore-submodules=all"] });
  const found = parseStatus(stdout);
  const dirty = [...found.staged, ...found.changed, ...found.untracked, ...found.unmerged][0];
  if (dirty !== undefined) return `has changes, such as ${dirty}`;
  if (found.head !== recorded) return "is at another commit than the one recorded";
  const own = ["rev-list", "--max-count=1", "--all", "HEAD", "--not", "--remotes"];
  if ((await tools.git({ ...at, args: own })).stdout !== "") return "has commits that no remote has";
  const nested = await tools.git({ ...at, args: ["ls-files", "--stage", "-z"] });
  return nested.stdout.split("\0").some((line) => line.startsWith(`${SUBMODULE_MODE} `))
    ? "has submodules of its own"
    : null;
}
