import { dirname, join } from "node:path";
import { splitNul } from "./git.ts";
import type { Tools } from "./tools.ts";

export interface IndexEntry {
  readonly mode: string;
  readonly object: string;
  readonly stage: number;
  readonly path: string;
  /** Flags that make git skip the file. */
  readonly assumeUnchanged: boolean;
  readonly skipWorktree: boolean;
}

/** A working copy of a checkout's index, so that the real one is never touched. */
export interface IndexCopy {
  readonly env: { readonly GIT_INDEX_FILE: string };
  readonly entries: readonly IndexEntry[];
  remove(): Promise<void>;
}

let copies = 0;

/** Copies a checkout's index and clears the flags of every hidden entry. */
export async function copyIndex(tools: Tools, folder: string, gitDir: string): Promise<IndexCopy> {
  const { fs } = tools.host;
  copies += 1;
  const file = join(gitDir, `ao-index-${copies}`);
  await fs.remove(file);
  // Times are preserved: git compares them to find files that changed while the index was being written.
  if ((await fs.stat(join(gitDir, "index"))) !== null) await fs.copy(join(gitDir, "index"), file);
  const env = { GIT_INDEX_FILE: file };
  const args = ["ls-files", "--stage", "-v", "-z"];
  const entries = splitNul((await tools.git({ cwd: folder, env, args })).stdout).map(parseEntry);
  await revealHidden(tools, folder, { env, entries });
  return {
    env,
    entries,
    remove: async () => {
      await fs.remove(file);
      await fs.remove(`${file}.lock`);
    },
  };
}

function parseEntry(line: string): IndexEntry {
  const [meta = "", ...rest] = line.split("\t");
  const [tag = "", mode = "", object = "", stage = "0"] = meta.split(" ");
  const flags = { assumeUnchanged: tag !== tag.toUpperCase(), skipWorktree: tag.toUpperCase() === "S" };
  return { mode, object, stage: Number(stage), path: rest.join("\t"), ...flags };
}

// A rewritten entry has no flags and no cached times, so git must read the file. A skip-worktree entry without a file
// comes from a sparse checkout: it means "unchanged", not "deleted", and stays as it is. Under a link or file that
// replaced its folder it is deleted, because both cannot be restored.
async function revealHidden(
  tools: Tools,
  folder: string,
  { env, entries }: { readonly env: Readonly<Record<string, string>>; readonly entries: readonly IndexEntry[] },
): Promise<void> {
  const { fs } = tools.host;
  const isReplaced = findReplacedFolders(fs, folder);
  const lines: string[] = [];
  for (const entry of entries) {
    if (!entry.assumeUnchanged && !entry.skipWorktree) continue;
    const isAbsent = (await fs.stat(join(folder, entry.path)).catch(() => null)) === null;
    if (entry.skipWorktree && isAbsent && !(await isReplaced(dirname(entry.path)))) continue;
    lines.push(`${entry.mode} ${entry.object} 0\t${entry.path}\0`);
  }
  if (lines.length === 0) return;
  await tools.git({ cwd: folder, env, args: ["update-index", "-z", "--index-info"], stdin: lines.join("") });
}

/** Reports whether a tracked folder, or one above it, is now a link or a file. Each folder is read once. */
function findReplacedFolders(fs: Tools["host"]["fs"], root: string): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>([[".", Promise.resolve(false)]]);
  const inspect = async (folder: string): Promise<boolean> => {
    if (await isReplaced(dirname(folder))) return true;
    const stat = await fs.stat(join(root, folder));
    return stat !== null && stat.kind !== "directory";
  };
  const isReplaced = (folder: string): Promise<boolean> => {
    const answer = known.get(folder) ?? inspect(folder);
    known.set(folder, answer);
    return answer;
  };
  return isReplaced;
}
