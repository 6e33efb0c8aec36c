import { dirname, join } from "node:path";
import ignore from "ignore";
import type { WorkspaceProject } from "../../ports/workspace.ts";
import { splitNul } from "./git.ts";
import { checkoutRoot, pathBelow } from "./layout.ts";
import { isPlainFolder, type Placed } from "./symlink.ts";
import type { Tools } from "./tools.ts";

const AT_ONCE = 16;

/** Copies ignored files that `.worktreeinclude` lists from the main checkout into the checkout. */
export async function copyIncluded(tools: Tools, project: WorkspaceProject, folder: string): Promise<Placed> {
  const rules = await tools.host.fs.readText(join(project.path, ".worktreeinclude"));
  if (rules === null) return { paths: [], notes: [] };
  const matcher = ignore({ ignorecase: false }).add(rules);
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"];
  const ignored = splitNul((await tools.git({ cwd: project.path, args })).stdout);
  const own = pathBelow(project.path, checkoutRoot(project));
  // A trailing slash means another repository, such as a worktree.
  const wanted = ignored.filter(
    (path) => !path.endsWith("/") && (own === null || !path.startsWith(`${own}/`)) && matcher.ignores(path),
  );
  const paths: string[] = [];
  const notes: string[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    await Promise.all(wanted.slice(at, at + AT_ONCE).map(copyOne));
  }
  return { paths, notes };

  async function copyOne(path: string): Promise<void> {
    const target = join(folder, path);
    const { fs } = tools.host;
    // A name that is not UTF-8 does not survive as text; such a file is not found under the mangled name.
    if ((await fs.stat(join(project.path, path))) === null) {
      notes.push(`${path} was not copied: it cannot be read under this name.`);
      return;
    }
    if ((await fs.stat(target)) !== null) return;
    if (!(await isPlainFolder(tools, folder, dirname(path)))) {
      notes.push(`${path} was not copied: its folder in the checkout is a link or a file.`);
      return;
    }
    await fs.makeDir(dirname(target));
    await fs.copy(join(project.path, path), target);
    paths.push(path);
  }
}
