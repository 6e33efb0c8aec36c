import { join } from "node:path";
import { type Assessment, assessFolder, keepFor } from "../../../providers/git/assess.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/** Looks at all that would go with a worktree: its files, and what its git folder has for itself alone. */
export async function assessWorktree(tools: Tools, folder: string, adminDir: string): Promise<Assessment> {
  const lock = await tools.host.fs.readText(join(adminDir, "locked"));
  if (lock !== null) return keepFor(`the worktree is locked${lock.trim() === "" ? "" : `: ${lock.trim()}`}`);
  const state = await assessFolder(tools, folder, adminDir);
  if (state.kind === "keep") return state;
  const own = await findOwnRef(tools, adminDir, "refs");
  return own === null ? state : keepFor(`it has a ref of its own, ${own}, that would go with it`);
}

async function findOwnRef(tools: Tools, adminDir: string, path: string): Promise<string | null> {
  const { fs } = tools.host;
  // With a reftable the files below refs are placeholders, and git must be asked.
  if (path === "refs" && (await fs.stat(join(adminDir, "reftable"))) !== null) {
    const args = ["for-each-ref", "--count=1", "--format=%(refname)", "refs/worktree", "refs/bisect", "refs/rewritten"];
    return (await tools.git({ cwd: adminDir, args })).stdout.trim() || null;
  }
  for (const name of await fs.list(join(adminDir, path))) {
    const child = `${path}/${name}`;
    if ((await fs.stat(join(adminDir, child)))?.kind !== "directory") return child;
    const found = await findOwnRef(tools, adminDir, child);
    if (found !== null) return found;
  }
  return null;
}
