import { join } from "node:path";
import type { CreateWorkspace } from "../../../ports/workspace.ts";
import { readRefs } from "../../../providers/git/refs.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/**
 * Recreates a session's branch that was deleted under its worktree at the worktree's last commit. The branch's own
 * reflog is gone with it; the worktree's is still there. Returns a note, or null if nothing was missing.
 */
export async function rebuildBranch(
  tools: Tools,
  request: CreateWorkspace,
  { adminDir, fallback }: { readonly adminDir: string; readonly fallback: string | null },
): Promise<string | null> {
  const cwd = request.project.path;
  const ref = `refs/heads/${request.branch}`;
  if ((await readRefs(tools.git, cwd, [ref])).has(ref)) return null;
  const commit = (await findLastCommit(tools, cwd, { adminDir, ref })) ?? fallback;
  if (commit === null) return null;
  // The empty old value means "must not exist": a branch that came back meanwhile is not moved.
  const { code } = await tools.git({
    cwd,
    args: ["update-ref", "-m", "ao: rebuilt", ref, commit, ""],
    okCodes: [0, 128],
  });
  return code === 0
    ? `The branch ${request.branch} was gone and has been rebuilt at ${commit.slice(0, 12)}, its last commit known here.`
    : null;
}

async function findLastCommit(
  tools: Tools,
  cwd: string,
  { adminDir, ref }: { readonly adminDir: string; readonly ref: string },
): Promise<string | null> {
  const { fs } = tools.host;
  if ((await fs.readText(join(adminDir, "HEAD"))) !== `ref: ${ref}\n`) return null;
  const lines = ((await fs.readText(join(adminDir, "logs", "HEAD"))) ?? "").split("\n");
  const commit = lines.findLast((line) => /^[0-9a-f]+ (?!0+ )[0-9a-f]{40,64} /.test(line))?.split(" ")[1];
  if (commit === undefined) return null;
  const { code } = await tools.git({ cwd, args: ["cat-file", "-e", `${commit}^{commit}`], okCodes: [0, 1, 128] });
  return code === 0 ? commit : null;
}
