import { join } from "node:path";
import { splitNul } from "./git.ts";
import type { Tools } from "./tools.ts";

const MAX_TORN_FILES = 64;

/**
 * Why a partial checkout must not be removed, or null if git itself wrote everything in it: only files of the content
 * being written, complete or (for the file being written during a crash) a prefix of it.
 */
export async function findForeignContent(tools: Tools, folder: string, content: string): Promise<string | null> {
  const names = await tools.host.fs.list(folder);
  if (names.every((name) => name === ".git")) return null;
  const admin = await adminOf(tools, folder);
  const index = join(admin, "ao-check-index");
  const env = { GIT_INDEX_FILE: index };
  try {
    await tools.git({ cwd: folder, env, args: ["read-tree", content] });
    const others = splitNul((await tools.git({ cwd: folder, env, args: ["ls-files", "--others", "-z"] })).stdout);
    if (others.length > 0) return `it holds ${others.length} files that git did not write there, such as ${others[0]}`;
    const args = ["diff", "--no-ext-diff", "--name-only", "--no-renames", "--diff-filter=d", "-z"];
    const changed = splitNul((await tools.git({ cwd: folder, env, args })).stdout);
    if (changed.length > MAX_TORN_FILES) return `${changed.length} files differ from the branch`;
    for (const path of changed) {
      if (!(await isBeginning(tools, folder, { content, path }))) return `${path} differs from the branch`;
    }
    return null;
  } catch (error) {
    return `it cannot be compared with the branch: ${(error as Error).message}`;
  } finally {
    await tools.host.fs.remove(index);
  }
}

async function adminOf(tools: Tools, folder: string): Promise<string> {
  return (await tools.git({ cwd: folder, args: ["rev-parse", "--absolute-git-dir"] })).stdout.replace(/\n$/, "");
}

// The shell compares the bytes, because we get program output as text.
async function isBeginning(
  tools: Tools,
  folder: string,
  { content, path }: { readonly content: string; readonly path: string },
): Promise<boolean> {
  const stat = await tools.host.fs.stat(join(folder, path));
  if (stat?.kind !== "file") return false;
  const { code } = await tools.git({
    cwd: folder,
    args: ["cat-file", "--filters", `${content}:${path}`],
    script: 'git "$@" | head -c "$SIZE" | cmp -s - "./$FILE"',
    env: { SIZE: String(stat.size), FILE: path },
    okCodes: [0, 1, 2],
  });
  return code === 0;
}
